import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import type { ApiObject } from '../model/api-object.ts'
import { CUSTOM_RESOURCE_DEFINITIONS } from './custom-resource-definitions.ts'
import { objectOf } from '../../lib/json/json-fields.ts'

export const CONTEXT = {
  plane: 'root',
  user: { name: 'a', uid: '', groups: [], extra: {} },
  version: 'v1',
  subresource: '',
  now: new Date('2026-01-01T00:00:00Z'),
} as const

/** A version with a schema. */
export function versionOf(name: string, overrides: JsonObject = {}): JsonObject {
  const spec = { type: 'object', properties: { replicas: { type: 'integer', default: 1 } } }
  const openAPIV3Schema = { type: 'object', properties: { spec } }
  return { name, served: true, storage: name === 'v1', schema: { openAPIV3Schema }, ...overrides }
}

/** A definition of fleets as it is created. */
export function definitionOf(spec: Readonly<Record<string, JsonValue>> = {}): ApiObject {
  const object = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'fleets.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'fleets', kind: 'Fleet', shortNames: ['fl'] },
      scope: 'Namespaced',
      versions: [versionOf('v1')],
      ...spec,
    },
  }
  return CUSTOM_RESOURCE_DEFINITIONS.strategy?.prepareCreate?.(object, CONTEXT) ?? object
}

/** A definition whose names have been accepted. */
export function establishedDefinition(spec: Readonly<Record<string, JsonValue>> = {}): ApiObject {
  const object = definitionOf(spec)
  const names = objectOf(objectOf(object['spec'])['names'])
  const conditions = ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True' }))
  const status = objectOf(object['status'])
  return { ...object, status: { ...status, acceptedNames: names, conditions } }
}
