import { badRequest } from '../errors/failures.ts'
import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
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
  const given = isJsonObject(body) ? body : {}
  const inBody = given['propagationPolicy']
  const policy = choiceOf(
    typeof inBody === 'string' ? inBody : query.get('propagationPolicy'),
    POLICIES,
    'propagationPolicy',
  )
  const orphan = given['orphanDependents']
  const legacy = orphan === true ? 'Orphan' : orphan === false ? 'Background' : null
  const dryRun = [given['dryRun'] ?? []].flat().filter((value) => typeof value === 'string')
  const preconditions = isJsonObject(given['preconditions']) ? given['preconditions'] : {}
  const { uid, resourceVersion } = preconditions
  return {
    dryRun: dryRunOf([...query.getAll('dryRun'), ...dryRun]),
    ...((policy ?? legacy) !== null && { propagationPolicy: policy ?? legacy ?? 'Background' }),
    preconditions: {
      ...(typeof uid === 'string' && { uid }),
      ...(typeof resourceVersion === 'string' && { resourceVersion }),
    },
  }
}

/** An integer parameter; null if it is absent. 400 if it is not an integer. */
export function integerOf(query: URLSearchParams, name: string): number | null {
  const text = query.get(name) ?? ''
  if (text === '') return null
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw badRequest(`${name} must be a non-negative integer, not "${text.slice(0, 64)}"`)
}

/** A boolean parameter. */
export function flagOf(query: URLSearchParams, name: string): boolean {
  const text = query.get(name)
  return text === 'true' || text === '1' || text === ''
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
