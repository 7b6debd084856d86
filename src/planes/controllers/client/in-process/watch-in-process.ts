import { versionExpired } from '../../../errors/failures.ts'
import type { Target } from '../../../model/object-operations.ts'
import { resourceKey } from '../../../model/resource-type.ts'
import type { ChangeSubscriber } from '../../../../store/objects/model/change-subscriber.ts'
import type { ObjectChange } from '../../../../store/objects/model/object-change.ts'
import { FlotillaError } from '../../../../lib/errors.ts'
import { createEventBuffer } from '../event-buffer.ts'
import type { WatchEvent, WatchOptions } from '../plane-client.ts'
import { objectOfChange } from './change-objects.ts'
import type { InProcessOptions } from './in-process-options.ts'

/** The most changes that wait for a controller. */
const BUFFER = 10_000

/**
 * Follows the store of a resource. Controllers in this process select objects themselves: of the
 * selection, only the namespace is supported.
 */
export async function* watchInProcess(
  options: InProcessOptions,
  { plane, type, version }: Target,
  watching: WatchOptions,
): AsyncGenerator<WatchEvent> {
  const { namespace = '', labelSelector, fieldSelector, resourceVersion, signal } = watching
  if (labelSelector || fieldSelector) {
    throw new FlotillaError('invalid', 'a watch in this process has no selectors')
  }
  const buffer = createEventBuffer<ObjectChange>(BUFFER, () => versionExpired())
  const end = (): void => buffer.end(null)
  const subscriber: ChangeSubscriber = {
    onChanges: (changes) => {
      for (const change of changes) {
        if (namespace === '' || change.namespace === namespace) buffer.push(change)
      }
    },
    onLost: () => buffer.end(versionExpired()),
    ready: () => buffer.drained(),
  }
  const scope = { plane, resource: resourceKey(type) }
  // Following may send many old changes before it resolves, so reading starts first.
  const following = options.storeOf(type).follow(scope, BigInt(resourceVersion), subscriber)
  following.catch((error: unknown) => buffer.end(error))
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    for await (const change of buffer.values) {
      if (signal.aborted) return
      const object = objectOfChange(change)
      const isStored = type.storageVersion === version || options.convert === undefined
      const converted = isStored ? object : await options.convert(object, type, version)
      yield { type: change.type, object: converted }
    }
  } finally {
    signal.removeEventListener('abort', end)
    buffer.end(null)
    // A failure to follow has already ended the buffer.
    await following.then((subscription) => subscription[Symbol.dispose]()).catch(() => undefined)
  }
}
