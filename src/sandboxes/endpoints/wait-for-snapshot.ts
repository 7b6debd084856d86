import { isJsonObject } from 'flotilla'
import { type ApiObject, type EndpointRequest, objectConflict } from 'flotilla/planes'
import type { EndpointParts } from './endpoint-parts.ts'
import { snapshotTarget } from './sandbox-target.ts'

/** Waits until a snapshot is ready. 409 with the reason if it has failed, 504 after the timeout. */
export async function waitForSnapshot(
  { waitForState }: EndpointParts,
  { target, signal, requester }: EndpointRequest,
  { name, timeoutMs }: { readonly name: string; readonly timeoutMs: number },
): Promise<ApiObject> {
  const wanted = snapshotTarget(target, name)
  const snapshot = await waitForState(
    wanted,
    {
      isReached: (object) => ['Ready', 'Failed'].includes(statusText(object, 'phase')),
      describe: (object) => `its phase is ${statusText(object, 'phase') || 'not set yet'}`,
    },
    { timeoutMs, signal, requester },
  )
  if (statusText(snapshot, 'phase') === 'Ready') return snapshot
  const message = statusText(snapshot, 'message') || 'the driver has not reported a reason'
  throw objectConflict(wanted.type, name, `the snapshot has failed: ${message}`)
}

function statusText({ status }: ApiObject, name: string): string {
  const value = isJsonObject(status) ? status[name] : undefined
  return typeof value === 'string' ? value : ''
}
