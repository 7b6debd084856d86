import type { Violation } from '../../lib/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import type { RegisteredKind, ReferenceRule } from '../../store/registry/kind.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { hrefOf } from '../wire/href.ts'
import type { BodyRules } from '../../http/validation/body-format.ts'

/**
 * The rules of `references` that a schema cannot express: an absent type counts as no items, which
 * can be too few; a type names each target once; an `href` must match its id.
 */
export function referenceRules(registry: Registry, { references }: RegisteredKind): BodyRules {
  return (body) => {
    const member = body['references']
    // The schema rejects a value that is not an object.
    if (member !== undefined && !isJsonObject(member)) return []
    return references.flatMap((rule) => {
      const items = member && Object.hasOwn(member, rule.type) ? member[rule.type] : []
      if (!Array.isArray(items)) return []
      const path = `references.${rule.type}`
      return [
        ...tooFew(items, rule, path),
        ...repeatedIds(items, path),
        ...wrongHrefs(items, registry.byName(rule.kind), path),
      ]
    })
  }
}

/** The same rules if the body has the field: a patch may leave it out. */
export function givenReferenceRules(registry: Registry, kind: RegisteredKind): BodyRules {
  const rules = referenceRules(registry, kind)
  return (body) => (Object.hasOwn(body, 'references') ? rules(body) : [])
}

type Items = readonly JsonValue[]

function tooFew(items: Items, { min }: ReferenceRule, field: string): Violation[] {
  if (items.length >= min) return []
  const message = `${field} must have at least ${min === 1 ? '1 item' : `${min} items`}`
  return [{ field, message, constraint: 'minItems', value: items }]
}

function repeatedIds(items: Items, path: string): Violation[] {
  const seen = new Set<string>()
  return items.flatMap((item, place) => {
    const id = isJsonObject(item) ? item['id'] : undefined
    if (typeof id !== 'string') return []
    if (!seen.has(id)) {
      seen.add(id)
      return []
    }
    const field = `${path}[${place}].id`
    return [{ field, message: `${field} '${id}' appears twice`, constraint: 'unique', value: id }]
  })
}

function wrongHrefs(items: Items, target: RegisteredKind, path: string): Violation[] {
  return items.flatMap((item, place) => {
    const { id, href }: JsonObject = isJsonObject(item) ? item : {}
    if (typeof id !== 'string' || typeof href !== 'string') return []
    const right = hrefOf(target, id)
    if (href === right) return []
    const field = `${path}[${place}].href`
    return [{ field, message: `${field} must be '${right}'`, constraint: 'const', value: href }]
  })
}
