import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { type Refs, refsOfType } from '../../store/model/resource.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { hrefOf } from './href.ts'

/** The field `references`: every type that the kind declares, with its targets. */
export function serializeReferences(
  registry: Registry,
  { references }: RegisteredKind,
  refs: Refs,
): JsonObject {
  const types = references.map(({ type, kind }): [string, JsonValue] => {
    const target = registry.byName(kind)
    const targets = refsOfType(refs, type).map((id) => ({ id, kind, href: hrefOf(target, id) }))
    return [type, targets]
  })
  return Object.fromEntries(types)
}

/** The references of a validated body. Absent and null types have no targets. */
export function refsOf(references: JsonValue | undefined): Refs {
  if (!isJsonObject(references)) return {}
  const types = Object.entries(references).map(([type, items]): [string, readonly string[]] => [
    type,
    idsOf(items),
  ])
  return Object.fromEntries(types.filter(([, ids]) => ids.length > 0))
}

function idsOf(items: JsonValue): readonly string[] {
  if (!Array.isArray(items)) return []
  return items.flatMap((item: JsonValue) => {
    const id = isJsonObject(item) ? item['id'] : undefined
    return typeof id === 'string' ? [id] : []
  })
}
