import type { RequestHandler } from 'express'
import type { JsonObject } from '../../lib/json/json.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { Registry } from '../../store/registry/registry.ts'
import type { IndexedField } from '../../store/indexes/indexed-field.ts'
import { printField } from '../../store/search/language/print.ts'
import { serves, VERBS } from '../../store/registry/verb.ts'

/** GET of `/kinds`. */
export function listKinds(
  registry: Registry,
  indexedFields: readonly IndexedField[],
): RequestHandler {
  return (_request, response) => {
    const items = registry.kinds.map((kind) => descriptionOf(kind, indexedFields))
    response.json({ kind: 'KindList', items })
  }
}

function descriptionOf(kind: RegisteredKind, indexedFields: readonly IndexedField[]): JsonObject {
  const hasStatuses = kind.hasStatuses !== false
  return {
    kind: kind.kind,
    plural: kind.plural,
    singular: kind.singular,
    parent_kind: kind.parent?.kind ?? null,
    has_statuses: hasStatuses,
    with_all_kinds: kind.withAllKinds !== false,
    verbs: VERBS.filter((verb) => serves(kind, verb)),
    required_adapters: hasStatuses ? [...kind.requiredAdapters] : [],
    indexed_fields: indexedFields
      .filter((field) => field.kind === kind.kind)
      .map(({ path }) => printField({ type: 'spec', path, span: { start: 0, end: 0 } })),
    name_min_length: kind.name.minLength,
    name_max_length: kind.name.maxLength,
    spec_schema: `${kind.kind}Spec`,
  }
}
