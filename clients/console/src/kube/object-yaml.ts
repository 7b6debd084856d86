import type { UnknownObject } from '../../../typescript/src/http/json.ts'
import { toYaml } from '../edit/yaml/to-yaml.ts'

/** An object of a plane as YAML, in the usual order and without the owners of its fields. */
export function objectToYaml(object: UnknownObject): string {
  return toYaml(editableObject(object))
}

/** The fields of an object that users read and edit, in the usual order. */
export function editableObject(object: UnknownObject): UnknownObject {
  const { apiVersion, kind, metadata, spec, status, ...others } = object
  return {
    apiVersion,
    kind,
    metadata: withoutOwners(metadata),
    ...others,
    ...(spec !== undefined && { spec }),
    ...(status !== undefined && { status }),
  }
}

function withoutOwners(metadata: unknown): unknown {
  if (typeof metadata !== 'object' || metadata === null) return metadata
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => key !== 'managedFields'))
}
