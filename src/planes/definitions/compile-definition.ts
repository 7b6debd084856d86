import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import {
  apiVersionOf,
  type PrinterColumn,
  type ResourceType,
  type ResourceVersion,
  type ScalePaths,
  type Verb,
} from '../model/resource-type.ts'
import type { Schema } from '../model/schema.ts'
import { type DefinitionVersion, readDefinition } from './definition.ts'
import { compareVersions } from '../model/version-order.ts'
import { objectOf, textOf } from '../../lib/json/json-fields.ts'

const VERBS: readonly Verb[] = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
]
/** While the definition is deleted, no instances can be created. */
const TERMINATING_VERBS: readonly Verb[] = VERBS.filter((verb) => verb !== 'create')

const COLUMN_TYPES = ['integer', 'number', 'boolean', 'date'] as const

/** How a definition converts objects between versions. */
export interface Conversion {
  /** Null if versions differ only in their name. */
  readonly webhook: JsonObject | null
}

const TYPES = new WeakMap<JsonObject, ResourceType>()
const CONVERSIONS = new WeakMap<ResourceType, Conversion>()

/**
 * The type that a stored definition declares, or null if its names have not been accepted. The type
 * is kept as long as the stored object. Its schemas are compiled when they are first used.
 */
export function compileDefinition(body: JsonObject): ResourceType | null {
  const cached = TYPES.get(body)
  if (cached) return cached
  const type = compile(body)
  if (type) TYPES.set(body, type)
  return type
}

/** The conversion of a type that `compileDefinition` has returned. */
export function conversionOf(type: ResourceType): Conversion {
  return CONVERSIONS.get(type) ?? { webhook: null }
}

function compile(body: JsonObject): ResourceType | null {
  const definition = readDefinition(body)
  if (!definition.isTrue('Established')) return null
  const { group, names, acceptedNames, versions, conversion } = definition
  const { plural, singular, kind, listKind } = acceptedNames.plural === '' ? names : acceptedNames
  const { shortNames, categories } = acceptedNames
  const metadata = objectOf(body['metadata'])
  const type: ResourceType = {
    group,
    plural,
    singular,
    kind,
    listKind,
    shortNames,
    categories,
    namespaced: definition.isNamespaced,
    verbs: definition.isTrue('Terminating') ? TERMINATING_VERBS : VERBS,
    versions: versions
      .toSorted((one, other) => compareVersions(one.name, other.name))
      .map((version) => compileVersion(version, { group, kind })),
    storageVersion: versions.find(({ storage }) => storage)?.name ?? '',
    isCustom: true,
    definition: { name: textOf(metadata['name']), uid: textOf(metadata['uid']) },
  }
  const isWebhook = textOf(conversion['strategy']) === 'Webhook'
  CONVERSIONS.set(type, { webhook: isWebhook ? objectOf(conversion['webhook']) : null })
  return type
}

interface Names {
  readonly group: string
  readonly kind: string
}

function compileVersion(version: DefinitionVersion, names: Names): ResourceVersion {
  const { name, served, subresources, printerColumns, selectableFields } = version
  return {
    name,
    served,
    ...(version.isDeprecated && { deprecationWarning: warningOf(version, names) }),
    schema: objectSchema(version.schema),
    printerColumns: printerColumns.map(columnOf),
    selectableFields: selectableFields.map((path) => path.replace(/^\./, '')),
    hasStatus: isJsonObject(subresources['status']),
    scale: scaleOf(subresources),
  }
}

function warningOf(
  { name, deprecationWarning }: DefinitionVersion,
  { group, kind }: Names,
): string {
  if (deprecationWarning !== '') return deprecationWarning
  return `${apiVersionOf(group, name)} ${kind} is deprecated`
}

/** The schema of whole objects: definitions may leave out the members that all resources have. */
function objectSchema(declared: JsonObject): Schema {
  const schema = storedSchema(declared)
  return {
    ...schema,
    type: 'object',
    properties: {
      ...schema.properties,
      apiVersion: { type: 'string', description: 'Group and version of the object.' },
      kind: { type: 'string', description: 'Kind of the object.' },
      metadata: { ...schema.properties?.['metadata'], type: 'object' },
    },
  }
}

/** Definitions are validated before they are stored. */
function storedSchema(value: JsonObject): Schema {
  return isStoredSchema(value) ? value : {}
}

function isStoredSchema(value: JsonObject): value is JsonObject & Schema {
  return isJsonObject(value)
}

function columnOf(column: JsonObject): PrinterColumn {
  const { priority, format, description } = column
  return {
    name: textOf(column['name']),
    type: COLUMN_TYPES.find((type) => type === column['type']) ?? 'string',
    jsonPath: textOf(column['jsonPath']),
    ...(typeof priority === 'number' && { priority }),
    ...(typeof format === 'string' && { format }),
    ...(typeof description === 'string' && { description }),
  }
}

function scaleOf(subresources: JsonObject): ScalePaths | null {
  if (!isJsonObject(subresources['scale'])) return null
  const scale = objectOf(subresources['scale'])
  const labelSelectorPath = textOf(scale['labelSelectorPath'])
  return {
    specReplicasPath: textOf(scale['specReplicasPath']),
    statusReplicasPath: textOf(scale['statusReplicasPath']),
    ...(labelSelectorPath !== '' && { labelSelectorPath }),
  }
}
