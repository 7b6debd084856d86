import type { Command } from 'commander'
import { writeDocuments } from '../apply/write-documents.ts'
import { loadDocuments } from '../documents/load-documents.ts'
import { readFormat } from '../output/formats.ts'
import type { OpenSession } from '../program/register.ts'
import { timeoutOption } from '../program/timeout-option.ts'
import type { Session } from '../session/session.ts'

/** The options of `flotilla apply`. */
interface ApplyOptions {
  readonly filename: readonly string[]
  readonly recursive?: boolean | undefined
  readonly cluster?: string | undefined
  readonly dryRun?: boolean | undefined
  readonly output?: string | undefined
  readonly yes?: boolean | undefined
  readonly wait?: boolean | undefined
  /** Milliseconds. */
  readonly timeout: number
}

/** `flotilla apply -f FILE` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('apply')
    .description('Creates or changes the resources of files, and shows the difference first.')
    .requiredOption('-f, --filename <files...>', 'files, folders, or - for the standard input')
    .option('-R, --recursive', 'include subfolders')
    .option('--cluster <name>', 'the cluster of node pools that name none')
    .option('--dry-run', 'show the difference; the server validates it and stores nothing')
    .option('-o, --output <format>', 'json, yaml or name')
    .option('-y, --yes', 'do not ask before fields are removed')
    .option('--wait', 'wait until the resources are ready')
    .addOption(timeoutOption('5m', 'how long --wait waits'))
    .addHelpText('after', EXAMPLES)
    .action(async (options: ApplyOptions, command: Command) => {
      const session = await open(command)
      await apply(session, options)
    })
}

const EXAMPLES = `
Examples:
  flotilla apply -f cluster.yaml --wait
  flotilla apply -f clusters/ --dry-run
  flotilla get cluster lisbon -o yaml | flotilla apply -f -
`

/** Applies the objects of files. */
async function apply(session: Session, options: ApplyOptions): Promise<void> {
  const format = readFormat(options.output, ['json', 'yaml', 'name'])
  const files = options.filename
  const documents = await loadDocuments(session, files, options)
  await writeDocuments(session, documents, { ...options, format, onlyCreate: false })
}
