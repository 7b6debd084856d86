import type { Document } from '../documents/document.ts'
import type { Format } from '../output/formats.ts'
import { printObjects } from '../output/print-objects.ts'
import type { Session } from '../session/session.ts'
import type { PendingResource } from '../waiting/pending-resource.ts'
import { waitForReady } from '../waiting/wait-for-ready.ts'
import { type AppliedItem, applyDocuments } from './apply-documents.ts'

/** The options that `flotilla apply` and `flotilla create` share, and their difference. */
interface WriteOptions {
  readonly cluster?: string | undefined
  readonly dryRun?: boolean | undefined
  readonly yes?: boolean | undefined
  readonly wait?: boolean | undefined
  /** Milliseconds. */
  readonly timeout: number
  readonly format: Format
  readonly onlyCreate: boolean
}

/** Writes the objects of documents, prints them, and waits for them if the user wants it. */
export async function writeDocuments(
  session: Session,
  documents: readonly Document[],
  options: WriteOptions,
): Promise<void> {
  const { cluster, onlyCreate, format } = options
  const isDryRun = options.dryRun === true
  const screen = format.name === 'table' ? session.out : session.err
  const { items, failure } = await applyDocuments(session, documents, {
    cluster,
    onlyCreate,
    dryRun: isDryRun,
    yes: options.yes === true,
    print: (line) => screen.write(`${line}\n`),
  })
  const written = items.map(({ object, applied }) => ({
    label: object.label,
    object: applied.object,
  }))
  await printObjects(session, format, written)
  if (options.wait === true && !isDryRun) {
    await waitForReady(session, pendingOf(items), options.timeout)
  }
  if (failure !== null) throw failure
}

/** The resources among applied objects, to wait for them. */
function pendingOf(items: readonly AppliedItem[]): readonly PendingResource[] {
  return items.flatMap(({ target, applied }) => {
    const id = applied.object['id']
    return typeof id === 'string' ? [{ target, id }] : []
  })
}
