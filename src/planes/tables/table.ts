import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import { badRequest } from '../errors/failures.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { PrinterColumn, ResourceVersion } from '../model/resource-type.ts'
import type { Representation } from '../negotiation/negotiate.ts'
import { cellValue } from './cell-value.ts'
import { partialMetadata } from './partial-metadata.ts'

/** Which part of the objects the rows of a table include. */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

export interface TableOptions {
  readonly includeObject: IncludeObject
  readonly metaVersion: Representation['metaVersion']
  readonly now: Date
  /** Omits the column definitions, which only the first event of a watch carries. */
  readonly noHeaders?: boolean
  /** Metadata of the list; that of a single object if absent. */
  readonly metadata?: JsonObject
}

const NAME: PrinterColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique among the objects of its resource and namespace.',
  jsonPath: '.metadata.name',
}

const AGE: PrinterColumn = {
  name: 'Age',
  type: 'date',
  description: 'Time since the creation of the object.',
  jsonPath: '.metadata.creationTimestamp',
}

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end'

/** A Table with a row per object and the printer columns of the version. */
export function tableOf(
  objects: readonly ApiObject[],
  version: ResourceVersion,
  options: TableOptions,
): JsonObject {
  const columns = tableColumns(version)
  const { resourceVersion = '' } = objects[0]?.metadata ?? {}
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.metaVersion}`,
    metadata: options.metadata ?? { resourceVersion },
    columnDefinitions: options.noHeaders === true ? null : columns.map(columnDefinition),
    rows: objects.map((object) => ({
      cells: columns.map((column) => cellValue(column, object, options.now)),
      object: includedPart(object, options),
    })),
  }
}

/** The value of the parameter `includeObject`. Throws a 400 if there is no such part. */
export function parseIncludeObject(value: string | undefined): IncludeObject {
  if (value === undefined || value === '') return 'Metadata'
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: ` +
      "must be 'Metadata', 'Object', 'None', or empty",
  )
}

/** The name comes first unless a native type places it itself. */
function tableColumns({ printerColumns }: ResourceVersion): readonly PrinterColumn[] {
  if (printerColumns.length === 0) return [NAME, AGE]
  const placesName = printerColumns.some(
    ({ format, jsonPath }) => format === NAME.format && jsonPath === NAME.jsonPath,
  )
  return placesName ? printerColumns : [NAME, ...printerColumns]
}

function columnDefinition(column: PrinterColumn): JsonObject {
  const { name, type, format = '', description, priority = 0, jsonPath } = column
  return {
    name,
    type,
    format,
    description: description ?? (jsonPath === '' ? '' : `Value of the JSONPath ${jsonPath}.`),
    priority,
  }
}

function includedPart(object: ApiObject, options: TableOptions): JsonValue {
  const { managedFields: _, ...metadata } = object.metadata
  if (options.includeObject === 'Object') return { ...object, metadata }
  const endsInitialEvents = metadata.annotations?.[INITIAL_EVENTS_END] === 'true'
  if (options.includeObject === 'None' && !endsInitialEvents) return null
  return partialMetadata({ ...object, metadata }, options.metaVersion)
}
