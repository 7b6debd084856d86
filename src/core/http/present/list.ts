import type { JsonObject } from '../../../lib/json.ts'
import type { Page } from '../../operations/read-page.ts'
import type { Projection } from '../query/fields.ts'
import { project } from '../query/fields.ts'

export interface ListEnvelope {
  readonly kind: string
  readonly page: number
  /** What to watch from: every change up to here is in the list. */
  readonly resourceVersion: string
  readonly projection: Projection | null
}

/** A page as it goes over the wire: `size` is the number of items in it. */
export function presentList(
  { kind, page, resourceVersion, projection }: ListEnvelope,
  { total, isEstimate, items }: Page<JsonObject>,
): JsonObject {
  return {
    kind,
    page,
    size: items.length,
    total,
    ...(isEstimate && { total_is_estimate: true }),
    items: projection ? items.map((item) => project(item, projection)) : items,
    resource_version: resourceVersion,
  }
}

/** A page whose items are JSON text already. */
export function renderList(
  { kind, page, resourceVersion }: Omit<ListEnvelope, 'projection'>,
  { total, isEstimate, items }: Page<string>,
): string {
  const head = `"kind":${JSON.stringify(kind)},"page":${page},"size":${items.length},"total":${total}`
  const mark = isEstimate ? ',"total_is_estimate":true' : ''
  return `{${head}${mark},"items":[${items.join(',')}],"resource_version":"${resourceVersion}"}`
}
