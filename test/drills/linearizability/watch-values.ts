import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { assert } from '../../../src/lib/assert.ts'
import { isJsonObject, type JsonObject } from '../../../src/lib/json/json.ts'
import type { LoadClient } from '../load/load-client.ts'
import type { Operation } from './history.ts'

const PAUSE_MS = 50

/** The values of one object in the order of its events; empty for its removal. */
type Values = Map<string, string[]>

interface Watched {
  readonly client: LoadClient
  /** The path of the list. */
  readonly path: string
  readonly keyOf: (object: JsonObject) => string
  readonly valueOf: (object: JsonObject) => string
  readonly versionOf: (event: JsonObject) => string
}

/** A watch that continues until its signal. */
export interface ValueWatch {
  readonly values: Values
  readonly ended: Promise<void>
}

/**
 * Watches as a correct client does, from the version of a list. The result resolves with the watch
 * once it has this version, so that it misses no change after that.
 */
export async function watchValues(watched: Watched, signal: AbortSignal): Promise<ValueWatch> {
  const { client, path, versionOf } = watched
  const outcome = await client.send({ method: 'GET', path })
  assert(outcome.kind === 'response' && outcome.status === 200, `${path} is listed`)
  const version = versionOf({ ...outcome.body, object: outcome.body })
  const values: Values = new Map()
  return { values, ended: follow(watched, { version, values }, signal) }
}

/** Resumes with the last version when the connection breaks. */
async function follow(
  { client, path, keyOf, valueOf, versionOf }: Watched,
  { version: from, values }: { readonly version: string; readonly values: Values },
  signal: AbortSignal,
): Promise<void> {
  let version = from
  while (!signal.aborted) {
    try {
      const query = `watch=true&resourceVersion=${version}`
      const response = await client.open(`${path}?${query}`, signal)
      if (response.statusCode !== 200) throw new Error(`a watch is ${response.statusCode}`)
      for await (const line of createInterface(response)) {
        const event: JsonObject = JSON.parse(line)
        const { type, object } = event
        if (type === 'ERROR') throw new Error(line)
        version = versionOf(event)
        if (type === 'BOOKMARK' || !isJsonObject(object)) continue
        const all = values.get(keyOf(object)) ?? []
        all.push(type === 'DELETED' ? '' : valueOf(object))
        values.set(keyOf(object), all)
      }
    } catch {
      await sleep(PAUSE_MS)
    }
  }
}

/** The acknowledged writes of values without an event. */
export function missingEvents(values: Values, history: readonly Operation[]): readonly Operation[] {
  const seen = new Set([...values.values()].flat())
  return history.filter(
    ({ kind, value, outcome }) =>
      kind !== 'read' && value !== '' && outcome === 'ok' && !seen.has(value),
  )
}

/**
 * The violations of a watch: an acknowledged value without an event, a value with two events or
 * after a value that replaced it, an event of a value that no client wrote, or of a write that failed.
 */
export function watchProblems(values: Values, history: readonly Operation[]): readonly string[] {
  const writes = new Map<string, Operation>()
  for (const call of history)
    if (call.kind !== 'read' && call.value !== '') writes.set(call.value, call)
  const problems: string[] = []
  const seen = new Set<string>()
  for (const [key, all] of values) {
    let last = ''
    for (const value of all) {
      if (value !== '') problems.push(...problemsOf({ key, value, last, seen }, writes))
      last = value
    }
  }
  for (const { key, value } of missingEvents(values, history)) {
    problems.push(`${key}: no event of ${value}`)
  }
  return problems
}

interface Seen {
  readonly key: string
  readonly value: string
  /** The value of the event before. */
  readonly last: string
  readonly seen: Set<string>
}

function problemsOf(
  { key, value, last, seen }: Seen,
  writes: ReadonlyMap<string, Operation>,
): string[] {
  const write = writes.get(value)
  const isRepeated = seen.has(value)
  seen.add(value)
  if (write?.key !== key || write.outcome === 'no')
    return [`${key}: an event of ${value}, which no client wrote`]
  if (isRepeated) return [`${key}: two events of ${value}`]
  return write.expected === last
    ? []
    : [`${key}: ${value} follows ${last}, and replaced ${write.expected}`]
}
