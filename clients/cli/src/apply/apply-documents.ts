import { NotFound } from '../../../typescript/src/index.ts'
import type { Document } from '../documents/document.ts'
import { CliError } from '../errors/cli-error.ts'
import { EXIT, type ExitCode } from '../errors/exit-codes.ts'
import { reportError } from '../errors/report-error.ts'
import type { Session } from '../session/session.ts'
import type { Applied } from './applicable.ts'
import { applicablesOf, type Item, type Purpose } from './applicables-of.ts'
import { applyOne, type ApplyMode } from './apply-one.ts'

interface Options extends Purpose, ApplyMode {}

/** An item that was written, or found unchanged. */
export interface AppliedItem extends Item {
  readonly applied: Applied
}

/** Applies documents one after the other. A failure does not stop the others. */
export async function applyDocuments(
  session: Session,
  documents: readonly Document[],
  options: Options,
): Promise<{ readonly items: readonly AppliedItem[]; readonly failure: CliError | null }> {
  const items = await applicablesOf(session, documents, options)
  const done: AppliedItem[] = []
  const codes: ExitCode[] = []
  for (const item of items) {
    try {
      done.push({ ...item, applied: await applyOne(session, item.object, options) })
    } catch (error) {
      session.signal.throwIfAborted()
      if (dependsOn(done, error) && options.dryRun) {
        options.print(`${item.object.label} created (dry run, without the checks of the server)`)
        continue
      }
      if (items.length === 1) throw error
      session.err.write(`${item.source}: ${item.object.label} failed:\n`)
      codes.push(reportError(error, { err: session.err, verbose: false }))
    }
  }
  return { items: done, failure: failureOf(codes, items.length) }
}

/** Whether an object may be missing only because a dry run did not create it. */
function dependsOn(done: readonly AppliedItem[], error: unknown): boolean {
  const isMissing = error instanceof NotFound || isNotFound(error)
  return isMissing && done.some(({ applied }) => applied.outcome === 'created')
}

function isNotFound(error: unknown): boolean {
  return error instanceof CliError && error.exitCode === EXIT.notFound
}

function failureOf(codes: readonly ExitCode[], total: number): CliError | null {
  if (codes.length === 0) return null
  const [first] = codes
  const isSame = codes.every((code) => code === first)
  const exit = isSame && first === EXIT.notFound ? 'notFound' : 'refused'
  return new CliError(`${codes.length} of ${total} objects failed`, { exit })
}
