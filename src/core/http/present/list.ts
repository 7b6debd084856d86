import type { JsonObject } from '../../../lib/json.ts'
import type { Page } from '../../operations/read-page.ts'
import type { Projection } from '../query/fields.ts'
import { project } from '../query/fields.ts'

interface ListEnvelope {
  readonly kind: string
  readonly page: number
  readonly projection: Projection | null
}

/** A page as it goes over the wire: `size` is the number of items in it. */
export function presentList(
  { kind, page, projection }: ListEnvelope,
  { total, items }: Page<JsonObject>,
): JsonObject {
  return {
    kind,
    page,
    size: items.length,
    total,
    items: projection ? items.map((item) => project(item, projection)) : items,
  }
}
