import type { JsonObject } from '../../../lib/json/json.ts'

/** The names of fields in events.k8s.io/v1 by their names in v1. */
const FIELDS: Readonly<Record<string, string>> = {
  involvedObject: 'regarding',
  message: 'note',
  reportingComponent: 'reportingController',
  source: 'deprecatedSource',
  firstTimestamp: 'deprecatedFirstTimestamp',
  lastTimestamp: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
}
const CORE_FIELDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(FIELDS).map(([core, name]) => [name, core]),
)

function renamed(object: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      Object.hasOwn(names, name) ? (names[name] ?? name) : name,
      value,
    ]),
  )
}

/** An event of events.k8s.io/v1 in the form of the core group, in which events are stored. */
export function toCoreEvent(event: JsonObject): JsonObject {
  return { ...renamed(event, CORE_FIELDS), apiVersion: 'v1' }
}

/** A stored event in the form of events.k8s.io/v1. */
export function fromCoreEvent(event: JsonObject): JsonObject {
  return { ...renamed(event, FIELDS), apiVersion: 'events.k8s.io/v1' }
}

function renamedPath(path: string, names: Readonly<Record<string, string>>): string {
  const [first = '', ...rest] = path.split('.')
  return [Object.hasOwn(names, first) ? names[first] : first, ...rest].join('.')
}

/** The path of a field of events.k8s.io/v1 in the core group: `involvedObject.name`. */
export function toCorePath(path: string): string {
  return renamedPath(path, CORE_FIELDS)
}

/** The path of a field of the core group in events.k8s.io/v1: `regarding.name`. */
export function fromCorePath(path: string): string {
  return renamedPath(path, FIELDS)
}
