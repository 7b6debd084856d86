import { WaitTimeout } from '../errors/wait-timeout.ts'
import type { Fleet as FleetObject, ObjectMeta } from '../generated/kplane.ts'
import { linkedAbort } from '../http/linked-abort.ts'
import type { Transport } from '../http/transport.ts'
import type { WaitOptions } from '../resources/wait-for.ts'
import { follow } from '../watch/follow.ts'
import { watchedObjects } from '../watch/watched-objects.ts'
import { fleetPath } from './fleet-path.ts'

const TIMEOUT_MS = 120_000

/** Watches a fleet until it is removed; another fleet may have taken its name. */
export async function waitUntilDeleted(
  transport: Transport,
  { name = '', uid }: Pick<ObjectMeta, 'name' | 'uid'>,
  { signal, timeout = TIMEOUT_MS }: WaitOptions,
): Promise<void> {
  const link = linkedAbort(signal)
  link.limit(timeout)
  const query = { fieldSelector: `metadata.name=${name}` }
  const list = watchedObjects<FleetObject>(fleetPath(), { query, signal: link.signal })
  let isKnown = false
  try {
    for await (const event of follow(transport, list, { signal: link.signal })) {
      if (event.type === 'RESET') isKnown = false
      if (event.type === 'DELETED' || (event.type === 'BOOKMARK' && !isKnown)) return
      if (!('object' in event)) continue
      isKnown = event.object.metadata.uid === uid
      if (!isKnown) return
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (!link.isExpired()) throw error
    throw new WaitTimeout(`fleet ${name} was not removed after ${timeout} ms`, { cause: error })
  } finally {
    link.close()
  }
}
