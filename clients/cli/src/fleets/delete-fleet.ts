import { NotFound } from '../../../typescript/src/index.ts'
import { confirm } from '../input/confirm.ts'
import { progressBar } from '../output/progress-bar.ts'
import type { Session } from '../session/session.ts'
import { pollWithProgress } from '../waiting/poll-with-progress.ts'
import { timedOut } from '../waiting/timed-out.ts'
import { fleetPath } from './fleet-path.ts'

/** The options of `flotilla fleet delete`. */
export interface DeleteFleetOptions {
  readonly deleteMembers?: boolean | undefined
  readonly keepMembers?: boolean | undefined
  readonly yes?: boolean | undefined
  readonly wait: boolean
  /** Milliseconds. */
  readonly timeout: number
}

/** Deletes a fleet. Without an option, its deletionPolicy decides about the members. */
export async function deleteFleet(
  session: Session,
  name: string,
  options: DeleteFleetOptions,
): Promise<void> {
  const { client, signal, out } = session
  const { object, spec, status } = await client.getFleet(name, { signal })
  const isDeleting =
    options.deleteMembers === true ||
    (options.keepMembers !== true && spec.deletionPolicy === 'Delete')
  const question = `Delete fleet/${name} and its ${status.replicas} clusters?`
  if (isDeleting) await confirm(session, question, options.yes === true)
  const query = { propagationPolicy: isDeleting ? 'Background' : 'Orphan' }
  await client.request({ method: 'DELETE', path: fleetPath(name), query, signal, retry: 'always' })
  if (options.wait) {
    const total = isDeleting ? status.replicas : 0
    await waitUntilGone(session, { name, uid: object.metadata.uid, total }, options.timeout)
  }
  const members = isDeleting ? `, with ${status.replicas} clusters` : '; its clusters stay'
  out.write(`fleet/${name} ${options.wait ? 'deleted' : 'deletion requested'}${members}\n`)
}

interface DeletedFleet {
  readonly name: string
  readonly uid: string | undefined
  /** Members to remove. */
  readonly total: number
}

async function waitUntilGone(
  session: Session,
  { name, uid, total }: DeletedFleet,
  timeoutMs: number,
): Promise<void> {
  let message = ''
  const isGone = await pollWithProgress(session, timeoutMs, async ({ signal, showProgress }) => {
    const fleet = await session.client.getFleet(name, { signal }).catch(ifGone)
    if (fleet === null || fleet.object.metadata.uid !== uid) return true
    const { replicas, conditions } = fleet.status
    message = conditions.find(({ type }) => type === 'Deleting')?.message ?? ''
    showProgress(`fleet/${name} ${progressBar(total - replicas, total)} removed. ${message}`)
    return false
  })
  if (isGone) return
  const details = message === '' ? [] : [message]
  throw timedOut(`fleet/${name} still exists after ${timeoutMs / 1000} s`, details)
}

function ifGone(error: unknown): null {
  if (error instanceof NotFound) return null
  throw error
}
