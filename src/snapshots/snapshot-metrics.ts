import { Gauge, type Registry } from 'prom-client'

/** Exposes the size of the snapshot cache. */
export function exposeSnapshotCache(
  registry: Registry,
  view: { readonly size: { readonly trees: number; readonly bytes: number } },
): void {
  const trees: Gauge = new Gauge({
    name: 'flotilla_view_trees',
    help: 'Resource trees in the snapshot cache.',
    registers: [registry],
    collect: () => trees.set(view.size.trees),
  })
  const bytes: Gauge = new Gauge({
    name: 'flotilla_view_bytes',
    help: 'Estimated size of the snapshot cache in bytes, limited by half of CACHE_BYTES.',
    registers: [registry],
    collect: () => bytes.set(view.size.bytes),
  })
}
