import type { ApplyOptions } from '../commands/apply.ts'
import { loadDocuments } from '../documents/load-documents.ts'
import { readStdin } from '../input/read-stdin.ts'
import { readFormat } from '../output/formats.ts'
import { printObjects } from '../output/print-objects.ts'
import type { Session } from '../session/session.ts'
import { waitForReady } from '../waiting/wait-for-ready.ts'
import { applyDocuments } from './apply-documents.ts'
import { pendingOf } from './pending-of.ts'

/** Applies the objects of files. */
export async function apply(session: Session, options: ApplyOptions): Promise<void> {
  const format = readFormat(options.output, ['json', 'yaml', 'name'])
  const files = options.filename
  const documents = await loadDocuments({ files, recursive: options.recursive === true, readStdin })
  const screen = format.name === 'table' ? session.out : session.err
  const { items, failure } = await applyDocuments(session, documents, {
    cluster: options.cluster,
    namespace: options.namespace,
    forceConflicts: options.forceConflicts === true,
    dryRun: options.dryRun === true,
    onlyCreate: false,
    yes: options.yes === true,
    print: (line) => screen.write(`${line}\n`),
  })
  const written = items.map(({ object, applied }) => ({
    label: object.label,
    object: applied.object,
  }))
  await printObjects(session, format, written)
  const isWaiting = options.wait === true && options.dryRun !== true
  if (isWaiting) await waitForReady(session, pendingOf(items), options.timeout)
  if (failure !== null) throw failure
}
