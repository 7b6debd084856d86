import { assert } from '../../lib/assert.ts'
import { isJsonObject, type JsonObject, type JsonValue, mapValues } from '../../lib/json/json.ts'
import { valueAt } from '../../lib/json/json-pointer.ts'
import type { OperationAddress } from './operation-address.ts'

const METHODS = new Set(['get', 'head', 'put', 'post', 'patch', 'delete', 'options', 'trace'])
const COMPONENTS = '#/components/'

/**
 * The part of an OpenAPI document that describes one operation and its successful responses. It is the
 * same for documents that differ only elsewhere, such as in their tags.
 * References are replaced by their targets, except recursive schemas and a discriminator's choices:
 * express-openapi-validator compiles the target of each reference only to find it.
 */
export function operationDocument(
  document: JsonObject,
  { template, method }: OperationAddress,
): JsonObject {
  const item = valueAt(document, ['paths', template])
  assert(isJsonObject(item), `no path ${template}`)
  const fields = Object.entries(item)
    .filter(([key]) => key === method || !METHODS.has(key))
    .map(([key, value]) => [key, key === method ? withoutErrors(value) : value])
  const operation = inlined(document, Object.fromEntries(fields), [])
  const components: Record<string, Record<string, JsonValue>> = {}
  for (const [section, name, component] of componentsOf(document, operation)) {
    components[section] ??= {}
    components[section][name] = component
  }
  const { openapi = null, servers = [] } = document
  return { openapi, servers, paths: { [template]: operation }, components }
}

function withoutErrors(operation: JsonValue): JsonValue {
  if (!isJsonObject(operation) || !isJsonObject(operation['responses'])) return operation
  const responses = Object.entries(operation['responses'])
  const successes = responses.filter(([status]) => !/^[45]/.test(status))
  return { ...operation, responses: Object.fromEntries(successes) }
}

/** The value with the targets of its references in place; `open` are the references around it. */
function inlined(document: JsonObject, value: JsonValue, open: readonly string[]): JsonValue {
  if (Array.isArray(value)) return value.map((item) => inlined(document, item, open))
  if (!isJsonObject(value) || 'discriminator' in value) return value
  const { $ref: reference, ...others } = value
  if (typeof reference !== 'string') {
    return mapValues(value, (item) => inlined(document, item, open))
  }
  const target = valueAt(document, reference.replace(/^#\//, '').split('/'))
  const isAlone = Object.keys(others).every((key) => key === 'description')
  if (target === undefined || !isAlone || open.includes(reference)) return value
  return inlined(document, target, [...open, reference])
}

type Component = readonly [section: string, name: string, value: JsonValue]

/** The components that a value refers to, also through other components or by a discriminator. */
function componentsOf(document: JsonObject, value: JsonValue): readonly Component[] {
  const found = new Map<string, Component>()
  const visit = (item: JsonValue): void => {
    if (typeof item === 'string' && item.startsWith(COMPONENTS)) follow(item)
    else if (Array.isArray(item)) item.forEach(visit)
    else if (isJsonObject(item)) Object.values(item).forEach(visit)
  }
  const follow = (reference: string): void => {
    const [section = '', name = ''] = reference.slice(COMPONENTS.length).split('/')
    const key = `${section}/${name}`
    const component = valueAt(document, ['components', section, name])
    if (component === undefined || found.has(key)) return
    found.set(key, [section, name, component])
    visit(component)
  }
  visit(value)
  return [...found.values()]
}
