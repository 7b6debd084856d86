import type { RequestHandler } from 'express'
import type { JsonObject } from '../../lib/json/json.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { serves, VERBS } from '../../store/registry/verb.ts'

/** GET of `/kinds`. */
export function listKinds(registry: Registry): RequestHandler {
  return (_request, response) => {
    response.json({ kind: 'KindList', items: registry.kinds.map(descriptionOf) })
  }
}

function descriptionOf(kind: RegisteredKind): JsonObject {
  const hasStatuses = kind.hasStatuses !== false
  return {
    kind: kind.kind,
    plural: kind.plural,
    singular: kind.singular,
    parent_kind: kind.parent?.kind ?? null,
    has_statuses: hasStatuses,
    verbs: VERBS.filter((verb) => serves(kind, verb)),
    required_adapters: hasStatuses ? [...kind.requiredAdapters] : [],
    name_min_length: kind.name.minLength,
    name_max_length: kind.name.maxLength,
    spec_schema: `${kind.kind}Spec`,
  }
}
