import type { CachedConfigurations } from '../../store/objects/configurations/plane-configurations.ts'
import type { ResourceStore } from '../model/resource-store.ts'

/** The usual delay is milliseconds. If the log stalls for longer, the write returns without effect. */
const TIMEOUT_MS = 10_000

/**
 * A store whose writes return when this server's configuration of the plane includes them. The next
 * request of a client then sees the effect of its role, binding or definition.
 */
export function configurationStore(
  store: ResourceStore,
  configurations: Pick<CachedConfigurations, 'waitFor'>,
): ResourceStore {
  return {
    ...store,
    write: async (write, user) => {
      const outcome = await store.write(write, user)
      if (outcome.status === 'written') {
        await configurations.waitFor(write.key.plane, outcome.revision, TIMEOUT_MS)
      }
      return outcome
    },
  }
}
