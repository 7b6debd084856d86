import { defineCapability } from '../capability/capability.ts'
import { exposedKinds } from '../exposed-kinds/capability.ts'
import { hyperfleet } from '../hyperfleet/capability.ts'
import { planes } from '../planes/capability.ts'
import { createSnapshotCache } from './cache/snapshot-cache.ts'
import { exposeSnapshotCache } from './snapshot-metrics.ts'
import { snapshotPaths } from './http/snapshot-paths.ts'
import { snapshotPart } from './http/snapshot-routes.ts'
import { readInteger, retired } from '../lib/settings/setting.ts'

const OPENAPI = new URL('../../openapi/snapshots.yaml', import.meta.url)

/** Serves clusters with all that belongs to them, from memory. */
export const snapshots = defineCapability({
  name: 'snapshots',
  needs: { hyperfleet, planes, exposedKinds },
  settings: {
    snapshotCacheBytes: retired({
      env: 'VIEW_MAX_BYTES',
      doc: 'snapshots have half of CACHE_BYTES',
      read: (value) => readInteger(value, { min: 0 }),
    }),
  },
  openapi: { file: OPENAPI, paths: snapshotPaths },
  derive: ({ cacheBytes, snapshotCacheBytes }) => ({
    snapshotCacheBytes: snapshotCacheBytes ?? Math.floor(cacheBytes / 2),
  }),
  open({ config, database, feed, lifecycle, metrics, needs }) {
    const cache = createSnapshotCache({ database, feed, maxBytes: config.snapshotCacheBytes })
    lifecycle.onClose('snapshots', () => cache[Symbol.dispose]())
    exposeSnapshotCache(metrics.registry, cache)
    needs.hyperfleet.addPart(() => {
      const { snapshots: ofPlanes, userOf } = needs.planes.sealed()
      const { createMissing } = needs.exposedKinds
      const planeObjects = { snapshots: ofPlanes, userOf, ...(createMissing && { createMissing }) }
      return snapshotPart({ snapshots: cache, planeObjects })
    })
  },
})
