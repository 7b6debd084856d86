import { isObject, type UnknownObject } from '../http/json.ts'
import { isTransient } from '../http/is-transient.ts'
import { jsonLines } from '../http/json-lines.ts'
import { readErrorObject } from '../http/read-error.ts'
import type { ApiRequest } from '../http/request.ts'
import { sleep } from '../http/sleep.ts'
import type { Transport } from '../http/transport.ts'
import { Snapshot, type SnapshotItem } from './snapshot.ts'

/** A change of a plane's state. */
export type StateDelta =
  | {
      /** The whole state: the first event, and again after every reconnect. */
      readonly type: 'SNAPSHOT'
      readonly snapshot: Snapshot
    }
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
      /** The plural of the changed item, or `statuses`. */
      readonly resource: string
      /** `hyperfleet`, or the Kubernetes group. */
      readonly group: string
      readonly object: SnapshotItem
      readonly resourceVersion: string
    }

const GONE = 410

/** Streams the state of a plane and its changes. A new snapshot follows every reconnect. */
export async function* followStates(
  transport: Transport,
  request: ApiRequest,
): AsyncGenerator<StateDelta, void, undefined> {
  const { signal } = request
  let hasConnected = false
  for (let failures = 0; ;) {
    try {
      for await (const line of jsonLines(transport, request)) {
        hasConnected = true
        failures = 0
        const delta = isObject(line) ? deltaOf(line) : null
        if (delta !== null) yield delta
      }
      await sleep(transport.retryDelay(1, null), signal)
    } catch (error) {
      signal?.throwIfAborted()
      failures += 1
      if (!isPassing(error) || (!hasConnected && failures > transport.retries)) throw error
      await sleep(transport.retryDelay(failures, error), signal)
    }
  }
}

function isPassing(error: unknown): boolean {
  return isTransient(error) || (isObject(error) && error['status'] === GONE)
}

function deltaOf(line: UnknownObject): StateDelta | null {
  const { type, object, resource, group, resource_version: version } = line
  if (!isObject(object)) return null
  if (type === 'ERROR') throw readErrorObject(object)
  if (type === 'SNAPSHOT') return { type, snapshot: new Snapshot(object) }
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return null
  return {
    type,
    resource: String(resource),
    group: typeof group === 'string' ? group : 'hyperfleet',
    object,
    resourceVersion: String(version),
  }
}
