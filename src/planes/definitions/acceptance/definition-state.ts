import type { ApiObject } from '../../model/api-object.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'

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
  return textAt(objectAt(definition, 'spec'), 'group')
}

/** The names that a definition asks for. */
export function requestedNames(definition: ApiObject): Names {
  return namesAt(objectAt(objectAt(definition, 'spec'), 'names'))
}

/** The names that were accepted. Empty ones were not. */
export function acceptedNames(definition: ApiObject): Names {
  return namesAt(objectAt(objectAt(definition, 'status'), 'acceptedNames'))
}

/** The conditions of a definition. */
export function conditionsOf(definition: ApiObject): readonly JsonObject[] {
  return objectsAt(objectAt(definition, 'status'), 'conditions')
}

/** Whether a condition has the status `True`. */
export function isTrue(definition: ApiObject, type: string): boolean {
  return conditionsOf(definition).some((condition) => {
    return textAt(condition, 'type') === type && textAt(condition, 'status') === 'True'
  })
}

/** The status with a condition. The time of the transition stays if the condition does not change. */
export function withCondition(
  status: JsonObject,
  condition: Omit<Condition, 'lastTransitionTime'>,
  now: Date,
): JsonObject {
  const conditions = objectsAt(status, 'conditions')
  const old = conditions.find((each) => each['type'] === condition['type'])
  const isSame = old?.['status'] === condition['status']
  const lastTransitionTime = isSame ? textAt(old ?? {}, 'lastTransitionTime') : timestamp(now)
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
  const served = objectsAt(objectAt(definition, 'spec'), 'versions').filter((version) => {
    return version['served'] === true
  })
  const version = served.find(({ storage }) => storage === true) ?? served[0]
  if (version === undefined) return null
  const { plural } = acceptedNames(definition)
  return { group: groupOf(definition), version: textAt(version, 'name'), plural }
}

/** The object of a member; empty if there is none. */
export function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name]
  return isJsonObject(value) ? value : {}
}

function timestamp(now: Date): string {
  return `${now.toISOString().slice(0, 19)}Z`
}

function namesAt(names: JsonObject): Names {
  return {
    plural: textAt(names, 'plural'),
    singular: textAt(names, 'singular'),
    kind: textAt(names, 'kind'),
    listKind: textAt(names, 'listKind'),
    shortNames: textsAt(names, 'shortNames'),
    categories: textsAt(names, 'categories'),
  }
}

function textAt(object: JsonObject, name: string): string {
  const value = object[name]
  return typeof value === 'string' ? value : ''
}

function textsAt(object: JsonObject, name: string): readonly string[] {
  return listAt(object, name).filter((item) => typeof item === 'string')
}

function objectsAt(object: JsonObject, name: string): readonly JsonObject[] {
  return listAt(object, name).filter((item) => isJsonObject(item))
}

function listAt(object: JsonObject, name: string): readonly JsonValue[] {
  const value: JsonValue | undefined = object[name]
  return isArray(value) ? value : []
}

function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}
