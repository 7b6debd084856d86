import {
  forbiddenValue,
  invalidValue,
  requiredValue,
  tooMany,
  unsupportedValue,
} from '../../errors/field-errors.ts'
import type { Schema } from '../../model/schema.ts'
import { type ErrorList, structuralParts } from './structural-run.ts'

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string']
const LIST_TYPE = 'x-kubernetes-list-type'
const MAP_TYPE = 'x-kubernetes-map-type'
const KEYS = 'x-kubernetes-list-map-keys'
const MAX_KEYS = 32

/** Checks types, lists and maps of a schema and its parts. */
export function checkExtensions(schema: Schema, path: string, list: ErrorList): void {
  const { type, properties = {}, additionalProperties } = schema
  if (type !== undefined && !TYPES.includes(type)) {
    list.add(unsupportedValue(`${path}.type`, type, TYPES))
  }
  if (schema.uniqueItems === true) {
    const detail =
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'
    list.add(forbiddenValue(`${path}.uniqueItems`, detail))
  }
  const hasOthers = additionalProperties !== undefined && additionalProperties !== true
  if (hasOthers && Object.keys(properties).length > 0) {
    const detail = 'additionalProperties and properties are mutual exclusive'
    list.add(forbiddenValue(`${path}.additionalProperties`, detail))
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    const field = `${path}.x-kubernetes-preserve-unknown-fields`
    list.add(invalidValue(field, false, 'must be true or undefined'))
  }
  checkMapType(schema, path, list)
  checkListType(schema, path, list)
  for (const part of structuralParts(schema, path)) checkExtensions(part.schema, part.path, list)
}

function checkMapType(schema: Schema, path: string, list: ErrorList): void {
  const { type, [MAP_TYPE]: mapType } = schema
  if (mapType === undefined) return
  if (type !== 'object') {
    const detail = `must be object if ${MAP_TYPE} is specified`
    list.add(
      type === undefined
        ? requiredValue(`${path}.type`, detail)
        : invalidValue(`${path}.type`, type, detail),
    )
  }
  if (!['atomic', 'granular'].includes(mapType)) {
    list.add(unsupportedValue(`${path}.${MAP_TYPE}`, mapType, ['atomic', 'granular']))
  }
}

function checkListType(schema: Schema, path: string, list: ErrorList): void {
  const { type, items, [LIST_TYPE]: listType, [KEYS]: keys = [] } = schema
  if (keys.length > 0 && listType !== 'map') {
    const detail = `must be map if ${KEYS} is non-empty`
    const field = `${path}.${LIST_TYPE}`
    list.add(
      listType === undefined ? requiredValue(field, detail) : invalidValue(field, listType, detail),
    )
  }
  if (listType === undefined) return
  if (type !== 'array') {
    const detail = `must be array if ${LIST_TYPE} is specified`
    const field = `${path}.type`
    list.add(type === undefined ? requiredValue(field, detail) : invalidValue(field, type, detail))
  }
  if (!['atomic', 'set', 'map'].includes(listType)) {
    list.add(unsupportedValue(`${path}.${LIST_TYPE}`, listType, ['atomic', 'set', 'map']))
  }
  if ((listType === 'set' || listType === 'map') && items?.nullable === true) {
    const detail = `cannot be nullable when ${LIST_TYPE} is ${listType}`
    list.add(forbiddenValue(`${path}.items.nullable`, detail))
  }
  if (listType === 'set' && items) checkSetItems(items, `${path}.items`, list)
  if (listType === 'map') checkListMap(schema, path, list)
}

function checkSetItems(items: Schema, path: string, list: ErrorList): void {
  const detail = `must be atomic as item of a list with ${LIST_TYPE}=set`
  const { type, [LIST_TYPE]: listType, [MAP_TYPE]: mapType } = items
  if (type === 'array' && listType !== undefined && listType !== 'atomic') {
    list.add(invalidValue(`${path}.${LIST_TYPE}`, listType, detail))
  }
  if (type === 'object' && mapType !== 'atomic') {
    list.add(invalidValue(`${path}.${MAP_TYPE}`, mapType ?? null, detail))
  }
}

function checkListMap({ items, [KEYS]: keys = [] }: Schema, path: string, list: ErrorList): void {
  const field = `${path}.${KEYS}`
  if (keys.length === 0) {
    list.add(requiredValue(field, `must not be empty if ${LIST_TYPE} is map`))
  }
  if (!items) {
    list.add(requiredValue(`${path}.items`, `must have a schema if ${LIST_TYPE} is map`))
    return
  }
  if (items.type !== 'object') {
    const detail = `must be object if parent array's ${LIST_TYPE} is map`
    list.add(invalidValue(`${path}.items.type`, items.type ?? '', detail))
    return
  }
  if (keys.length > MAX_KEYS) {
    list.add(tooMany(field, keys.length, MAX_KEYS))
    return
  }
  if (new Set(keys).size < keys.length) {
    list.add(invalidValue(field, keys, 'must not contain duplicate entries'))
  }
  for (const key of keys) checkKey(key, { items, keys, path }, list)
}

interface ListMap {
  readonly items: Schema
  readonly keys: readonly string[]
  readonly path: string
}

function checkKey(key: string, { items, keys, path }: ListMap, list: ErrorList): void {
  const { properties = {}, required = [] } = items
  const property = Object.hasOwn(properties, key) ? properties[key] : undefined
  if (!property) {
    const detail = 'entries must all be names of item properties'
    list.add(invalidValue(`${path}.${KEYS}`, keys, detail))
    return
  }
  const field = `${path}.items.properties[${key}]`
  if (property.type === 'array' || property.type === 'object') {
    const detail = `must be a scalar type if parent array's ${LIST_TYPE} is map`
    list.add(invalidValue(`${field}.type`, property.type, detail))
  }
  if (!required.includes(key) && property.default === undefined) {
    const detail = `this property is in ${KEYS}, so it must have a default or be a required property`
    list.add(requiredValue(`${field}.default`, detail))
  }
  if (property.nullable === true) {
    const detail = `this property is in ${KEYS}, so it cannot be nullable`
    list.add(forbiddenValue(`${field}.nullable`, detail))
  }
}
