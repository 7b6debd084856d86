import { badRequest } from '../errors/failures.ts'
import type { KubeError } from '../errors/kube-error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import type { DeleteOptions, ListOptions } from '../model/object-operations.ts'

const POLICIES = ['Background', 'Foreground', 'Orphan'] as const

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
 * `propagationPolicy`, which takes precedence over it.
 */
export function deleteOptionsOf(query: URLSearchParams, body: JsonValue): DeleteOptions {
  const options = objectField({ body }, 'body')
  const preconditions = objectField(options, 'preconditions')
  const uid = textField(preconditions, 'uid')
  const resourceVersion = textField(preconditions, 'resourceVersion')
  const propagationPolicy = propagationPolicyOf(query, options)
  return {
    dryRun: dryRunOf([...query.getAll('dryRun'), ...textsField(options, 'dryRun')]),
    ...(propagationPolicy !== null && { propagationPolicy }),
    preconditions: {
      ...(uid !== null && { uid }),
      ...(resourceVersion !== null && { resourceVersion }),
    },
  }
}

function propagationPolicyOf(query: URLSearchParams, options: JsonObject) {
  const name = 'propagationPolicy'
  const policy = choiceOf(textField(options, name) ?? query.get(name), POLICIES, name)
  const orphan = flagField(options, 'orphanDependents')
  if (policy !== null || orphan === null) return policy
  return orphan ? 'Orphan' : 'Background'
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

function dryRunOf(values: readonly string[]): boolean {
  const stages = values.filter((value) => value !== '')
  if (stages.every((stage) => stage === 'All')) return stages.length > 0
  throw badRequest('dryRun: Unsupported value: supported values: "All"')
}

/** One of the choices; null if the text is absent or empty. 400 if it is another text. */
function choiceOf<Choice extends string>(
  text: string | null,
  choices: readonly Choice[],
  name: string,
): Choice | null {
  if (text === null || text === '') return null
  const choice = choices.find((value) => value === text)
  if (choice !== undefined) return choice
  const supported = choices.map((value) => `"${value}"`).join(', ')
  throw badRequest(
    `${name}: Unsupported value: "${text.slice(0, 64)}": supported values: ${supported}`,
  )
}
