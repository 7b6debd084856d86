import { objectContent } from '../apply/object-content.ts'
import { resourceContent } from '../apply/resource-content.ts'
import type { JsonObject } from '../documents/json-object.ts'
import type { LocatedObject } from './located-object.ts'

/** The fields of an object that its users write. */
export function contentOf(
  { target }: Pick<LocatedObject, 'target'>,
  object: JsonObject,
): JsonObject {
  return target.api === 'hyperfleet' ? resourceContent(object) : objectContent(object)
}
