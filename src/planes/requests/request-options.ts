import { badRequest, objectInvalid } from '../errors/failures.ts'
import { invalidValue, unsupportedValue } from '../errors/field-errors.ts'
import type { KubeError } from '../errors/kube-error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import type { FieldError } from '../model/field-error.ts'
import type { DeleteOptions, ListOptions } from '../model/object-operations.ts'

const POLICIES = ['Background', 'Foreground', 'Orphan'] as const
/** A duration of Go, or no text. */
const DURATION = /^(?:[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+))?$/
const BOTH = 'orphanDependents and deletionPropagation cannot be both set'
const DELETE_OPTIONS = { group: 'meta.k8s.io', kind: 'DeleteOptions' }

/** Reads the parameters of a list or watch. Kubernetes ignores empty parameters, as this does. */
export function listOptionsOf(query: URLSearchParams): ListOptions {
  const limit = integerOf(query, 'limit')
  return {
    ...textsOf(query, [
      'labelSelector',
      'fieldSelector',
      'resourceVersion',
      'resourceVersionMatch',
      'continue',
    ]),
    ...(limit !== null && { limit }),
  }
}

/**
 * Reads the options of a deletion. The body is a DeleteOptions object or empty. Its fields take
 * precedence over query parameters. `orphanDependents` is the deprecated form of
 * `propagationPolicy`. Throws 422 if an option is invalid.
 */
export function deleteOptionsOf(query: URLSearchParams, body: JsonValue): DeleteOptions {
  const options = objectField({ body }, 'body')
  const preconditions = objectField(options, 'preconditions')
  const uid = textField(preconditions, 'uid')
  const resourceVersion = textField(preconditions, 'resourceVersion')
  const dryRun = [...query.getAll('dryRun'), ...textsField(options, 'dryRun')].filter(
    (stage) => stage !== '',
  )
  const { propagationPolicy, errors } = propagationPolicyOf(query, options)
  if (dryRun.some((stage) => stage !== 'All')) {
    errors.push(unsupportedValue('dryRun', dryRun, ['All']))
  }
  if (errors.length > 0) throw objectInvalid(DELETE_OPTIONS, '', errors)
  return {
    dryRun: dryRun.length > 0,
    ...(propagationPolicy !== null && { propagationPolicy }),
    preconditions: {
      ...(uid !== null && { uid }),
      ...(resourceVersion !== null && { resourceVersion }),
    },
  }
}

interface Propagation {
  readonly propagationPolicy: (typeof POLICIES)[number] | null
  readonly errors: FieldError[]
}

function propagationPolicyOf(query: URLSearchParams, options: JsonObject): Propagation {
  const field = 'propagationPolicy'
  const given = textField(options, field) ?? query.get(field) ?? ''
  const orphan = flagField(options, 'orphanDependents') ?? optionalFlag(query, 'orphanDependents')
  if (given === '') {
    const old = orphan === null ? null : orphan ? 'Orphan' : 'Background'
    return { propagationPolicy: old, errors: [] }
  }
  const policy = POLICIES.find((name) => name === given) ?? null
  const errors = [
    ...(orphan === null ? [] : [invalidValue(field, given, BOTH)]),
    ...(policy === null ? [unsupportedValue(field, given, POLICIES)] : []),
  ]
  return { propagationPolicy: policy, errors }
}

function optionalFlag(query: URLSearchParams, name: string): boolean | null {
  return (query.get(name) ?? '') === '' ? null : flagOf(query, name)
}

/** A field that is an object; empty if it is absent. */
function objectField(body: JsonObject, name: string): JsonObject {
  const value = body[name] ?? {}
  if (isJsonObject(value)) return value
  throw malformed(name, 'an object')
}

function textField(body: JsonObject, name: string): string | null {
  const value = body[name] ?? null
  if (value === null || typeof value === 'string') return value
  throw malformed(name, 'a string')
}

function flagField(body: JsonObject, name: string): boolean | null {
  const value = body[name] ?? null
  if (value === null || typeof value === 'boolean') return value
  throw malformed(name, 'a boolean')
}

function textsField(body: JsonObject, name: string): readonly string[] {
  const values = body[name] ?? []
  if (!Array.isArray(values)) throw malformed(name, 'a list of strings')
  return values.map((value: JsonValue) => {
    if (typeof value === 'string') return value
    throw malformed(name, 'a list of strings')
  })
}

// An ignored option could delete an object that the client wants to keep, so it is an error.
function malformed(name: string, expected: string): KubeError {
  return badRequest(`invalid DeleteOptions: ${name} must be ${expected}`)
}

/** An integer parameter; null if it is absent. 400 if it is not an integer. */
export function integerOf(query: URLSearchParams, name: string): number | null {
  const text = query.get(name) ?? ''
  if (text === '') return null
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw badRequest(`${name} must be a non-negative integer, not "${text.slice(0, 64)}"`)
}

/** Throws 400 if the timeout of a request is not a duration of Go, such as `30s`. */
export function requireTimeout(query: URLSearchParams): void {
  if (DURATION.test(query.get('timeout') ?? '')) return
  throw badRequest('invalid timeout specified in the request URL')
}

/** A boolean parameter: like Kubernetes, every value except `false` and `0` sets it. */
export function flagOf(query: URLSearchParams, name: string): boolean {
  const text = query.get(name)
  return text !== null && text !== '0' && text.toLowerCase() !== 'false'
}

function textsOf<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const texts: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const text = query.get(name)
    if (text !== null && text !== '') texts[name] = text
  }
  return texts
}
