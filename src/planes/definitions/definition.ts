import type { JsonObject } from '../../lib/json/json.ts'
import { objectOf, objectsOf, textOf, textsOf } from '../../lib/json/json-fields.ts'

/** The names of a custom resource. */
export interface DefinitionNames {
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly listKind: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
}

/** A version of a custom resource. Nested parts are as in the object. */
export interface DefinitionVersion {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly isDeprecated: boolean
  readonly deprecationWarning: string
  /** `schema.openAPIV3Schema`. */
  readonly schema: JsonObject
  readonly subresources: JsonObject
  readonly printerColumns: readonly JsonObject[]
  readonly selectableFields: readonly string[]
}

/** A custom resource definition. */
export interface Definition {
  readonly group: string
  readonly isNamespaced: boolean
  readonly names: DefinitionNames
  /** Names without a conflict with other definitions. Empty until the controller has decided. */
  readonly acceptedNames: DefinitionNames
  readonly versions: readonly DefinitionVersion[]
  readonly storedVersions: readonly string[]
  readonly conversion: JsonObject
  /** Whether a condition has the status `True`. */
  readonly isTrue: (condition: string) => boolean
}

/** Reads the fields of a definition. Absent fields are empty. */
export function readDefinition(object: JsonObject): Definition {
  const spec = objectOf(object['spec'])
  const status = objectOf(object['status'])
  const conditions = objectsOf(status['conditions'])
  return {
    group: textOf(spec['group']),
    isNamespaced: textOf(spec['scope']) === 'Namespaced',
    names: readNames(objectOf(spec['names'])),
    acceptedNames: readNames(objectOf(status['acceptedNames'])),
    versions: objectsOf(spec['versions']).map(readVersion),
    storedVersions: textsOf(status['storedVersions']),
    conversion: objectOf(spec['conversion']),
    isTrue: (type) =>
      conditions.some((condition) => {
        return textOf(condition['type']) === type && textOf(condition['status']) === 'True'
      }),
  }
}

function readNames(names: JsonObject): DefinitionNames {
  return {
    plural: textOf(names['plural']),
    singular: textOf(names['singular']),
    kind: textOf(names['kind']),
    listKind: textOf(names['listKind']),
    shortNames: textsOf(names['shortNames']),
    categories: textsOf(names['categories']),
  }
}

function readVersion(version: JsonObject): DefinitionVersion {
  return {
    name: textOf(version['name']),
    served: version['served'] === true,
    storage: version['storage'] === true,
    isDeprecated: version['deprecated'] === true,
    deprecationWarning: textOf(version['deprecationWarning']),
    schema: objectOf(objectOf(version['schema'])['openAPIV3Schema']),
    subresources: objectOf(version['subresources']),
    printerColumns: objectsOf(version['additionalPrinterColumns']),
    selectableFields: objectsOf(version['selectableFields']).map((field) => {
      return textOf(field['jsonPath'])
    }),
  }
}
