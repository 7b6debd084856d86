import { stepsInTurns } from '../../lib/async/steps.ts'
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { NativeResource, WriteContext } from '../model/native-resource.ts'
import { nativeType } from '../native/native-type.ts'
import { NAME_COLUMN, textColumn } from '../native/printer-columns.ts'
import { DEFINITION_SPEC, DEFINITION_STATUS } from './definition-schema.ts'
import { readDefinition } from './definition.ts'
import { definitionErrors } from './validate-definition.ts'
import { objectOf, objectsOf, textOf } from '../../lib/json/json-fields.ts'

/** Delays the removal of a definition until its instances are deleted. */
const FINALIZER = 'customresourcecleanup.apiextensions.k8s.io'

function prepareCreate(object: ApiObject): ApiObject {
  return withStoredVersions({ ...withDefaults(object), status: {} })
}

function prepareUpdate(object: ApiObject, _old: ApiObject, context: WriteContext): ApiObject {
  return context.subresource === 'status' ? object : withStoredVersions(withDefaults(object))
}

/** Sets the names and the conversion that may be left out. */
function withDefaults(object: ApiObject): ApiObject {
  const { spec } = object
  if (!isJsonObject(spec)) return object
  const names = objectOf(spec['names'])
  const kind = textOf(names['kind'])
  const singular = textOf(names['singular'])
  const listKind = textOf(names['listKind'])
  const hasAll = singular !== '' && listKind !== '' && isJsonObject(spec['conversion'])
  if (hasAll) return object
  return {
    ...object,
    spec: {
      ...spec,
      names: {
        ...names,
        singular: singular === '' ? kind.toLowerCase() : singular,
        listKind: listKind === '' && kind !== '' ? `${kind}List` : listKind,
      },
      conversion: isJsonObject(spec['conversion']) ? spec['conversion'] : { strategy: 'None' },
    },
  }
}

/** Records the storage version: objects are stored in it from now on. */
function withStoredVersions(object: ApiObject): ApiObject {
  const { versions, storedVersions } = readDefinition(object)
  const storage = versions.find((version) => version.storage)?.name
  if (storage === undefined || storedVersions.includes(storage)) return object
  const status = objectOf(object['status'])
  return { ...object, status: { ...status, storedVersions: [...storedVersions, storage] } }
}

/** Marks the definition as terminating: its instances are deleted first. */
function prepareDelete(object: ApiObject, { now }: WriteContext): ApiObject {
  const { finalizers = [] } = object.metadata
  const status = objectOf(object['status'])
  const others = objectsOf(status['conditions']).filter((condition) => {
    return textOf(condition['type']) !== 'Terminating'
  })
  const terminating: JsonObject = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: `${now.toISOString().slice(0, 19)}Z`,
    reason: 'InstanceDeletionPending',
    message:
      'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  }
  return {
    ...object,
    metadata: {
      ...object.metadata,
      finalizers: finalizers.includes(FINALIZER) ? finalizers : [...finalizers, FINALIZER],
    },
    status: { ...status, conditions: [...others, terminating] },
  }
}

/** Definitions of custom resources. */
export const CUSTOM_RESOURCE_DEFINITIONS: NativeResource = {
  type: nativeType({
    group: 'apiextensions.k8s.io',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    definitions: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    namespaced: false,
    description: 'Declares a resource that the API serves in addition to the native ones.',
    properties: { spec: DEFINITION_SPEC, status: DEFINITION_STATUS },
    required: ['spec'],
    printerColumns: [
      NAME_COLUMN,
      textColumn('Created At', '.metadata.creationTimestamp', 'Time of the creation.'),
    ],
    hasStatus: true,
    hasGeneration: true,
  }),
  strategy: {
    prepareCreate,
    prepareUpdate,
    prepareDelete,
    validate: (object, old) => stepsInTurns(definitionErrors(object, old)),
  },
  isConfiguration: true,
}
