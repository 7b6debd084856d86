import { isDeepStrictEqual } from 'node:util'
import type { Schema } from './manifest.ts'

/**
 * The direction in which a value travels. A request value must stay valid; a response value must
 * stay present.
 */
export type Side = 'request' | 'response'

/** A published schema and its current replacement. */
export interface SchemaPair {
  /** Its location, as messages show it. */
  readonly place: string
  readonly published: Schema
  readonly current: Schema
  readonly side: Side
}

/** Lists the changes from the published schema that can break clients. */
export type CompareSchemas = (pair: SchemaPair) => readonly string[]

type Schemas = Readonly<Record<string, Schema>>

const TYPES = ['array', 'boolean', 'null', 'number', 'object', 'string']
const UPPER_LIMITS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
const LOWER_LIMITS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']

/** Keywords with a specific rule. Any other keyword must stay equal. */
const RULED = '$ref type enum const required properties additionalProperties items anyOf oneOf'
const KNOWN = new Set([...RULED.split(' '), ...UPPER_LIMITS, ...LOWER_LIMITS])

/** Compares the schemas of two documents: each named schema once for requests and once for responses. */
export function createSchemaComparison(published: Schemas, current: Schemas): CompareSchemas {
  const seen = new Set<string>()
  const named = (name: string, side: Side): readonly string[] => {
    const [before, now] = [published[name], current[name]]
    if (before === undefined || now === undefined || seen.has(`${side} ${name}`)) return []
    seen.add(`${side} ${name}`)
    return compare({ place: name, published: before, current: now, side })
  }
  const compare: CompareSchemas = (pair) => {
    const { place, side } = pair
    const [before, now] = [nameOf(pair.published), nameOf(pair.current)]
    if (before === null) {
      const target = now === null ? pair.current : (current[now] ?? pair.current)
      return inlineRemovals({ ...pair, current: target }, compare)
    }
    if (before === now) return named(before, side)
    return [`${place} was a ${before} and is ${now === null ? 'something else' : `a ${now}`}`]
  }
  return compare
}

function nameOf({ $ref }: Schema): string | null {
  return $ref?.split('/').at(-1) ?? null
}

function inlineRemovals(pair: SchemaPair, compare: CompareSchemas): readonly string[] {
  return [
    ...typeRemovals(pair),
    ...valueRemovals(pair),
    ...fieldRemovals(pair, compare),
    ...otherFieldRemovals(pair, compare),
    ...itemRemovals(pair, compare),
    ...alternativeRemovals(pair, compare),
    ...limitRemovals(pair),
    ...keywordRemovals(pair),
  ]
}

function typeRemovals({ place, published, current, side }: SchemaPair): readonly string[] {
  const [before, now] = [typesOf(published), typesOf(current)]
  const [from, to] = side === 'request' ? [before, now] : [now, before]
  const types = from.filter(
    (type) => !to.includes(type) && !(type === 'integer' && to.includes('number')),
  )
  if (types.length === 0) return []
  const change = side === 'request' ? 'can no longer be' : 'can also be'
  return [`${place} ${change} ${types.join(' or ')}`]
}

function typesOf(schema: Schema): readonly string[] {
  if (schema.type !== undefined) return [schema.type].flat()
  const values = valuesOf(schema)
  return values === null ? TYPES : [...new Set(values.map(typeOfValue))]
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function valueRemovals({ place, published, current, side }: SchemaPair): readonly string[] {
  const [before, now] = [valuesOf(published), valuesOf(current)]
  const shown = (values: readonly unknown[]): string =>
    values.map((value) => JSON.stringify(value)).join(', ')
  if (before === null) {
    return now !== null && side === 'request' ? [`${place} must be one of ${shown(now)} now`] : []
  }
  if (now === null) {
    return side === 'response' ? [`${place} is no longer one of ${shown(before)}`] : []
  }
  const gone = before.filter((value) => !now.some((other) => isDeepStrictEqual(value, other)))
  return gone.length === 0 ? [] : [`${place}: the value ${shown(gone)} is gone`]
}

function valuesOf(schema: Schema): readonly unknown[] | null {
  return 'const' in schema ? [schema.const] : (schema.enum ?? null)
}

function fieldRemovals(
  { place, published, current, side }: SchemaPair,
  compare: CompareSchemas,
): readonly string[] {
  const { properties: fields = {} } = current
  const kept = Object.entries(published.properties ?? {}).flatMap(([name, schema]) => {
    const field = `${place}.${name}`
    const now = fields[name]
    if (now === undefined) return [`${field} is gone`]
    return compare({ place: field, published: schema, current: now, side })
  })
  const [before, now] = [published.required ?? [], current.required ?? []]
  if (side === 'request') {
    const added = now.filter((name) => !before.includes(name))
    return [...kept, ...added.map((name) => `${place}.${name} is required now`)]
  }
  const optional = before.filter((name) => !now.includes(name))
  return [...kept, ...optional.map((name) => `${place}.${name} is no longer required`)]
}

function otherFieldRemovals(
  { place, published, current, side }: SchemaPair,
  compare: CompareSchemas,
): readonly string[] {
  const [before, now] = [published.additionalProperties, current.additionalProperties]
  // A response schema without `additionalProperties` did not promise other fields.
  if (before === now || before === false || (side === 'response' && before === undefined)) return []
  if (now === false) return [`${place} can no longer have other fields`]
  const fields = { published: asSchema(before), current: asSchema(now) }
  return compare({ place: `${place}.*`, ...fields, side })
}

function asSchema(fields: true | Schema | undefined): Schema {
  return typeof fields === 'object' ? fields : {}
}

function itemRemovals(
  { place, published, current, side }: SchemaPair,
  compare: CompareSchemas,
): readonly string[] {
  if (published.items === undefined && current.items === undefined) return []
  const items = { published: published.items ?? {}, current: current.items ?? {} }
  return compare({ place: `${place}[]`, ...items, side })
}

function alternativeRemovals(
  { place, published, current, side }: SchemaPair,
  compare: CompareSchemas,
): readonly string[] {
  return (['anyOf', 'oneOf'] as const).flatMap((keyword) => {
    const [before, now] = [published[keyword], current[keyword]]
    if (before === undefined) {
      return now !== undefined && side === 'request' ? [`${place} has alternatives now`] : []
    }
    return before.flatMap((schema) => {
      const name = nameOf(schema)
      const same = now?.find((other) =>
        name === null ? isDeepStrictEqual(schema, other) : nameOf(other) === name,
      )
      if (same === undefined) return [`${place} can no longer be ${name ?? JSON.stringify(schema)}`]
      return compare({ place, published: schema, current: same, side })
    })
  })
}

function limitRemovals({ place, published, current, side }: SchemaPair): readonly string[] {
  if (side === 'response') return []
  const limit = (schema: Schema, keyword: string, none: number): number =>
    typeof schema[keyword] === 'number' ? schema[keyword] : none
  const lowered = UPPER_LIMITS.filter(
    (keyword) => limit(current, keyword, Infinity) < limit(published, keyword, Infinity),
  )
  const raised = LOWER_LIMITS.filter(
    (keyword) => limit(current, keyword, -Infinity) > limit(published, keyword, -Infinity),
  )
  return [...lowered, ...raised].map((keyword) => {
    return `${place}: ${keyword} is ${limit(current, keyword, 0)} now`
  })
}

/** Other keywords, such as `format`: requests may not gain any, responses may not lose any. */
function keywordRemovals({ place, published, current, side }: SchemaPair): readonly string[] {
  const schema = side === 'request' ? current : published
  return Object.keys(schema)
    .filter((keyword) => !KNOWN.has(keyword))
    .filter((keyword) => !isDeepStrictEqual(published[keyword], current[keyword]))
    .map((keyword) => `${place}: ${keyword} has changed`)
}
