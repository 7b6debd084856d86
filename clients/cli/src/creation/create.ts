import { writeDocuments } from '../apply/write-documents.ts'
import type { CreateOptions } from '../commands/create.ts'
import type { Document } from '../documents/document.ts'
import { loadDocuments } from '../documents/load-documents.ts'
import { CliError } from '../errors/cli-error.ts'
import { readFormat } from '../output/formats.ts'
import type { Session } from '../session/session.ts'
import type { KindTarget } from '../targets/kind-target.ts'
import { resolveTarget } from '../targets/resolve-target.ts'
import { splitArgument } from '../targets/split-argument.ts'
import { specFromOptions, splitPair } from './spec-from-options.ts'

interface Argument {
  readonly kind: string | undefined
  readonly name: string | undefined
}

/** Creates an object from options, or the objects of files. */
export async function create(
  session: Session,
  argument: Argument,
  options: CreateOptions,
): Promise<void> {
  const format = readFormat(options.output, ['json', 'yaml', 'name'])
  const documents = await documentsOf(session, argument, options)
  await writeDocuments(session, documents, { ...options, format, onlyCreate: true, yes: true })
}

async function documentsOf(
  session: Session,
  { kind, name }: Argument,
  options: CreateOptions,
): Promise<readonly Document[]> {
  const files = options.filename ?? []
  if ((kind === undefined) === (files.length === 0)) throw unclear()
  if (kind === undefined) {
    return await loadDocuments(session, files, options)
  }
  const argument = splitArgument(kind, name)
  if (argument.name === null) throw unclear()
  const purpose = { kubectl: 'create -f FILE', cluster: options.cluster }
  const target = await resolveTarget(session, argument.kind, purpose)
  const content = resourceFrom(target, argument.name, options)
  return [{ content, source: 'the command line' }]
}

function resourceFrom({ kind, parentKind }: KindTarget, name: string, options: CreateOptions) {
  const slash = name.lastIndexOf('/')
  const parent = slash < 0 ? options.cluster : name.slice(0, slash)
  const field = parentKind === null ? '' : parentKind.charAt(0).toLowerCase() + parentKind.slice(1)
  return {
    kind,
    name: name.slice(slash + 1),
    ...(field !== '' && { [field]: parent }),
    ...(options.label.length > 0 && { labels: Object.fromEntries(options.label.map(splitPair)) }),
    spec: specFromOptions(options.spec, options.set),
  }
}

function unclear(): CliError {
  return new CliError('name either an object or files', {
    exit: 'usage',
    hint: "'flotilla create KIND NAME', or 'flotilla create -f FILE'.",
  })
}
