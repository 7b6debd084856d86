import { badRequest } from '../errors/failures.ts'
import type { KubeError } from '../errors/kube-error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import type { DeleteOptions, ListOptions } from '../model/object-operations.ts'

const POLICIES = ['Background', 'Foreground', 'Orphan'] as const

/** The options of a list from its query. */
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

/** The options of a deletion from its query and body, which take precedence. */
export function deleteOptionsOf(query: URLSearchParams, body: JsonValue): DeleteOptions {
  const given = memberObject({ body }, 'body')
  const inBody = memberText(given, 'propagationPolicy')
  const policy = choiceOf(inBody ?? query.get('propagationPolicy'), POLICIES, 'propagationPolicy')
  const orphan = memberFlag(given, 'orphanDependents')
  const legacy = orphan === true ? 'Orphan' : orphan === false ? 'Background' : null
  const dryRun = memberTexts(given, 'dryRun')
  const preconditions = memberObject(given, 'preconditions')
  const uid = memberText(preconditions, 'uid')
  const resourceVersion = memberText(preconditions, 'resourceVersion')
  return {
    dryRun: dryRunOf([...query.getAll('dryRun'), ...dryRun]),
    ...((policy ?? legacy) !== null && { propagationPolicy: policy ?? legacy ?? 'Background' }),
    preconditions: {
      ...(uid !== null && { uid }),
      ...(resourceVersion !== null && { resourceVersion }),
    },
  }
}

/** A member that is an object; without members if it is absent. */
function memberObject(body: JsonObject, name: string): JsonObject {
  const value = body[name] ?? {}
  if (isJsonObject(value)) return value
  throw malformed(name, 'an object')
}

function memberText(body: JsonObject, name: string): string | null {
  const value = body[name] ?? null
  if (value === null || typeof value === 'string') return value
  throw malformed(name, 'a string')
}

function memberFlag(body: JsonObject, name: string): boolean | null {
  const value = body[name] ?? null
  if (value === null || typeof value === 'boolean') return value
  throw malformed(name, 'a boolean')
}

function memberTexts(body: JsonObject, name: string): readonly string[] {
  const values = body[name] ?? []
  if (!Array.isArray(values)) throw malformed(name, 'a list of strings')
  return values.map((value: JsonValue) => {
    if (typeof value === 'string') return value
    throw malformed(name, 'a list of strings')
  })
}

// Options that are ignored would delete an object that the client wants to keep.
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
  const given = values.filter((value) => value !== '')
  if (given.every((value) => value === 'All')) return given.length > 0
  throw badRequest('dryRun: Unsupported value: supported values: "All"')
}

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
