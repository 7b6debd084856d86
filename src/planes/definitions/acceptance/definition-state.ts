import type { ApiObject } from '../../model/api-object.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import { objectOf, objectsOf, textOf, textsOf } from '../../../lib/json/json-fields.ts'

/** Names that clients may use for a resource and its kind. */
export interface Names {
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly listKind: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
}

/** `NamesAccepted`, `Established` or `Terminating`. */
export interface Condition extends JsonObject {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime: string
  readonly reason: string
  readonly message: string
}

/** The group of a definition. */
export function groupOf(definition: ApiObject): string {
  return textOf(objectOf(definition['spec'])['group'])
}

/** The names that a definition asks for. */
export function requestedNames(definition: ApiObject): Names {
  return namesAt(objectOf(objectOf(definition['spec'])['names']))
}

/** The names that were accepted. Empty ones were not. */
export function acceptedNames(definition: ApiObject): Names {
  return namesAt(objectOf(objectOf(definition['status'])['acceptedNames']))
}

/** The conditions of a definition. */
export function conditionsOf(definition: ApiObject): readonly JsonObject[] {
  return objectsOf(objectOf(definition['status'])['conditions'])
}

/** Whether a condition has the status `True`. */
export function isTrue(definition: ApiObject, type: string): boolean {
  return conditionsOf(definition).some((condition) => {
    return textOf(condition['type']) === type && textOf(condition['status']) === 'True'
  })
}

/** The status with a condition. The time of the transition stays if the condition does not change. */
export function withCondition(
  status: JsonObject,
  condition: Omit<Condition, 'lastTransitionTime'>,
  now: Date,
): JsonObject {
  const conditions = objectsOf(status['conditions'])
  const old = conditions.find((each) => each['type'] === condition['type'])
  const isSame = old?.['status'] === condition['status']
  const lastTransitionTime = isSame ? textOf(old?.['lastTransitionTime']) : timestamp(now)
  const changed = { ...condition, lastTransitionTime }
  const next = old
    ? conditions.map((each) => (each === old ? changed : each))
    : [...conditions, changed]
  return { ...status, conditions: next }
}

/** The resource of the instances of a definition, in one version. */
interface ServedInstances {
  readonly group: string
  readonly version: string
  readonly plural: string
}

/** The served version of the instances: the stored one if possible, so that nothing is converted. */
export function instancesOf(definition: ApiObject): ServedInstances | null {
  const served = objectsOf(objectOf(definition['spec'])['versions']).filter((version) => {
    return version['served'] === true
  })
  const version = served.find(({ storage }) => storage === true) ?? served[0]
  if (version === undefined) return null
  const { plural } = acceptedNames(definition)
  return { group: groupOf(definition), version: textOf(version['name']), plural }
}

function timestamp(now: Date): string {
  return `${now.toISOString().slice(0, 19)}Z`
}

function namesAt(names: JsonObject): Names {
  return {
    plural: textOf(names['plural']),
    singular: textOf(names['singular']),
    kind: textOf(names['kind']),
    listKind: textOf(names['listKind']),
    shortNames: textsOf(names['shortNames']),
    categories: textsOf(names['categories']),
  }
}
