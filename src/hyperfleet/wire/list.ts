import type { JsonObject } from '../../lib/json/json.ts'
import type { Page } from '../../store/operations/list/read-page.ts'
import type { Projection } from '../query/fields.ts'
import { project } from '../query/fields.ts'

export interface ListEnvelope {
  readonly kind: string
  readonly page: number
  /** The version to watch from: the list has every change up to it. */
  readonly resourceVersion: string
  /** The cursor of the next page; null on the last page, absent in lists without cursors. */
  readonly next?: string | null
  readonly projection: Projection | null
}

/** A page in JSON. `size` is the number of its items. */
export function serializeList(
  { kind, page, resourceVersion, next, projection }: ListEnvelope,
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
    ...(next !== undefined && { next }),
  }
}

const COMMA = Buffer.from(',')

/** A page whose items are already UTF-8 JSON. */
export function renderList(
  { kind, page, resourceVersion, next }: Omit<ListEnvelope, 'projection'>,
  { total, isEstimate, items }: Page<Buffer>,
): Buffer {
  const head = `"kind":${JSON.stringify(kind)},"page":${page},"size":${items.length},"total":${total}`
  const mark = isEstimate ? ',"total_is_estimate":true' : ''
  const pieces: Buffer[] = [Buffer.from(`{${head}${mark},"items":[`)]
  for (const [index, item] of items.entries()) {
    if (index > 0) pieces.push(COMMA)
    pieces.push(item)
  }
  const cursor = next === undefined ? '' : `,"next":${JSON.stringify(next)}`
  pieces.push(Buffer.from(`],"resource_version":"${resourceVersion}"${cursor}}`))
  return Buffer.concat(pieces)
}
