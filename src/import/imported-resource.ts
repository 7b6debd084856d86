import { encodeTenant, NO_TENANT } from '../access/tenant.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../lib/json/json.ts'
import {
  objectOf,
  objectsOf,
  optionalText,
  textMapOf,
  textOf,
  textsOf,
} from '../lib/json/json-fields.ts'
import { preciseDateOf } from '../lib/precise-date.ts'
import { FIRST_VERSION, NO_OWNER, type Refs, type Resource } from '../store/model/resource.ts'
import type { StatusRecord } from '../store/model/status-record.ts'
import type { RegisteredKind } from '../store/registry/kind.ts'
import { importedConditions } from './imported-conditions.ts'
import { importedReport } from './imported-report.ts'
import type { SourceResource } from './source.ts'

/** A resource with its reports, as the target stores them. */
export interface Imported {
  readonly resource: Resource
  readonly records: readonly StatusRecord[]
}

/** Converts a resource of the source, which has no problem. */
export function importedResource(kind: RegisteredKind, source: SourceResource): Imported {
  const deletedTime = optionalText(source['deleted_time'])
  const resource = {
    id: textOf(source['id']),
    tenant: tenantOf(source),
    kind: kind.kind,
    name: textOf(source['name']),
    ownerId: kind.parent === null ? NO_OWNER : ownerOf(source),
    generation: Number(source['generation']),
    version: FIRST_VERSION,
    spec: objectOf(source['spec']),
    labels: textMapOf(source['labels']),
    annotations: textMapOf(source['annotations']),
    refs: refsOf(kind, source),
    requiredAdapters: isJsonArray(source['required_adapters'])
      ? textsOf(source['required_adapters'])
      : null,
    createdTime: preciseDateOf(textOf(source['created_time'])),
    updatedTime: preciseDateOf(textOf(source['updated_time'])),
    createdBy: textOf(source['created_by']),
    updatedBy: textOf(source['updated_by']),
    deletedTime: deletedTime === null ? null : preciseDateOf(deletedTime),
    deletedBy: optionalText(source['deleted_by']),
  }
  const records =
    kind.statusHooks === undefined
      ? []
      : objectsOf(source['statuses']).map((each) => importedReport(each, deletedTime !== null))
  return {
    resource: { ...resource, conditions: importedConditions(kind, { resource, records }, source) },
    records,
  }
}

function tenantOf(source: SourceResource): string {
  const tenancy = textMapOf(source['tenancy'])
  return Object.keys(tenancy).length === 0 ? NO_TENANT : encodeTenant(tenancy)
}

/** The id of the parent; empty without one. */
export function ownerOf(source: SourceResource): string {
  return textOf(objectOf(source['owner_references'])['id'])
}

function refsOf({ references }: RegisteredKind, source: SourceResource): Refs {
  const found = objectOf(source['references'])
  const types = references.map(({ type }) => [type, targetsOf(found[type])] as const)
  return Object.fromEntries(types.filter(([, ids]) => ids.length > 0))
}

/** The ids of the targets of one type of references. */
export function targetsOf(value: JsonValue | undefined): readonly string[] {
  return objectsOf(value).map(({ id }) => textOf(id))
}

/** The reasons why a resource cannot be imported. */
export function problemsOf(kind: RegisteredKind, source: SourceResource): readonly string[] {
  const { generation } = source
  const times = ['created_time', 'updated_time', 'deleted_time'].filter((field) =>
    isNoTime(source[field], field === 'deleted_time'),
  )
  return [
    ...(textOf(source['id']) === '' ? ['it has no id'] : []),
    ...(textOf(source['name']) === '' ? ['it has no name'] : []),
    ...(isJsonObject(source['spec']) ? [] : ['its spec is not an object']),
    ...(hasOnlyTexts(source['labels']) ? [] : ['its labels are not texts']),
    ...(hasOnlyTexts(source['tenancy']) ? [] : ['its tenancy is not a map of texts']),
    ...(Number.isInteger(generation) && Number(generation) > 0
      ? []
      : ['its generation is not a positive integer']),
    ...times.map((field) => `its ${field} is not a time`),
    ...(kind.parent !== null && ownerOf(source) === ''
      ? [`it has no owner of kind ${kind.parent.kind}`]
      : []),
    ...(kind.parent === null && ownerOf(source) !== ''
      ? ['it has an owner, which resources of its kind do not have here']
      : []),
  ]
}

function isNoTime(value: JsonValue | undefined, isOptional: boolean): boolean {
  if (value === null || value === undefined) return !isOptional
  return Number.isNaN(preciseDateOf(textOf(value)).getTime())
}

function hasOnlyTexts(value: JsonValue | undefined): boolean {
  if (value === null || value === undefined) return true
  return isJsonObject(value) && Object.values<JsonValue>(value).every(isText)
}

function isText(value: JsonValue): boolean {
  return typeof value === 'string'
}

/** All targets of a resource, by type. */
export function sourceReferences(source: SourceResource): JsonObject {
  return objectOf(source['references'])
}
