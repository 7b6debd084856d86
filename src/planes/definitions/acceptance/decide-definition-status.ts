import type { ApiObject } from '../../model/api-object.ts'
import { isSameJson } from '../../../lib/json/same-json.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import {
  acceptedNames,
  groupOf,
  isTrue,
  type Names,
  requestedNames,
  withCondition,
} from './definition-state.ts'
import { objectOf } from '../../../lib/json/json-fields.ts'

/** A name that another definition of the group uses. */
interface Conflict {
  readonly reason: string
  readonly name: string
}

/**
 * The status of a definition after its names were compared with those of the other definitions in
 * the plane: which names are accepted, and the conditions NamesAccepted and Established. Null if
 * nothing changes.
 */
export function decideDefinitionStatus(
  definition: ApiObject,
  others: readonly ApiObject[],
  now: Date,
): JsonObject | null {
  const current = objectOf(definition['status'])
  const { accepted, conflict } = decideNames(definition, usedNames(definition, others))
  const named = { ...current, acceptedNames: serialized(accepted) }
  const status = withEstablished(definition, withNamesAccepted(named, conflict, now), {
    conflict,
    now,
  })
  return isSameJson(status, current) ? null : status
}

function withNamesAccepted(status: JsonObject, conflict: Conflict | null, now: Date): JsonObject {
  const type = 'NamesAccepted'
  if (conflict === null) {
    const message = 'no conflicts found'
    return withCondition(status, { type, status: 'True', reason: 'NoConflicts', message }, now)
  }
  const { reason, name } = conflict
  const message = `"${name}" is already in use`
  return withCondition(status, { type, status: 'False', reason, message }, now)
}

/** Once established, a definition stays established. */
function withEstablished(
  definition: ApiObject,
  status: JsonObject,
  { conflict, now }: { readonly conflict: Conflict | null; readonly now: Date },
): JsonObject {
  const type = 'Established'
  if (isTrue(definition, type)) return status
  const condition =
    conflict === null
      ? {
          type,
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        }
      : { type, status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' }
  return withCondition(status, condition, now)
}

interface UsedNames {
  readonly resources: ReadonlySet<string>
  readonly kinds: ReadonlySet<string>
}

/** The accepted names of the other definitions in the same group. */
function usedNames(definition: ApiObject, others: readonly ApiObject[]): UsedNames {
  const group = groupOf(definition)
  const names = others
    .filter((other) => other !== definition && groupOf(other) === group)
    .map(acceptedNames)
  const resources = names.flatMap(({ plural, singular, shortNames }) => {
    return [plural, singular, ...shortNames]
  })
  const kinds = names.flatMap(({ kind, listKind }) => [kind, listKind])
  return { resources: new Set(resources), kinds: new Set(kinds) }
}

/** Accepts each name that is free; the others stay as they were accepted before. */
function decideNames(
  definition: ApiObject,
  { resources, kinds }: UsedNames,
): { readonly accepted: Names; readonly conflict: Conflict | null } {
  const requested = requestedNames(definition)
  const previous = acceptedNames(definition)
  let conflict: Conflict | null = null
  const find = (reason: string, used: ReadonlySet<string>, names: readonly string[]): boolean => {
    const name = names.find((each) => used.has(each))
    if (name !== undefined) conflict ??= { reason, name }
    return name === undefined
  }
  const isFree = {
    plural: find('PluralConflict', resources, [requested.plural]),
    singular: find('SingularConflict', resources, [requested.singular]),
    shortNames: find('ShortNamesConflict', resources, requested.shortNames),
    kind: find('KindConflict', kinds, [requested.kind]),
    listKind: find('ListKindConflict', kinds, [requested.listKind]),
  }
  const accepted: Names = {
    plural: (isFree.plural ? requested : previous).plural,
    singular: (isFree.singular ? requested : previous).singular,
    shortNames: (isFree.shortNames ? requested : previous).shortNames,
    kind: (isFree.kind ? requested : previous).kind,
    listKind: (isFree.listKind ? requested : previous).listKind,
    categories: requested.categories,
  }
  return { accepted, conflict }
}

/** The required names, and the others if there are any. */
function serialized({
  plural,
  kind,
  singular,
  listKind,
  shortNames,
  categories,
}: Names): JsonObject {
  return {
    plural,
    kind,
    ...(singular !== '' && { singular }),
    ...(listKind !== '' && { listKind }),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
  }
}
