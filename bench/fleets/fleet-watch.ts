import type { Target } from '../generator/messages.ts'
import { FLEETS } from './fleet-api.ts'

/** A change of a fleet, when its event arrived. */
export interface FleetEvent {
  /** By `performance.now`. */
  readonly time: number
  readonly isDeleted: boolean
  readonly isObserved: boolean
  readonly replicas: number
  readonly readyReplicas: number
}

/** Follows all fleets of a server. */
export interface FleetWatch extends Disposable {
  /** The events of a fleet so far. */
  eventsOf(name: string): readonly FleetEvent[]
  /** The first event of a fleet, from number `from` on, that meets the condition. */
  until(name: string, condition: (event: FleetEvent) => boolean, from?: number): Promise<FleetEvent>
}

/** A watch event, as far as the benchmark reads it. */
interface WireEvent {
  readonly type: string
  readonly object: {
    readonly metadata: { readonly name: string; readonly generation?: number }
    readonly status?: {
      readonly observedGeneration?: number
      readonly replicas?: number
      readonly readyReplicas?: number
    }
  }
}

const TIMEOUT_MS = 120_000

/** Opens a watch. Resolves when the server has accepted it. */
export async function openFleetWatch({ origin }: Target): Promise<FleetWatch> {
  const aborter = new AbortController()
  const events = new Map<string, FleetEvent[]>()
  const listeners = new Set<() => void>()
  const url = `${origin}${FLEETS}?watch=true`
  const response = await fetch(url, { signal: aborter.signal })
  if (!response.ok || response.body === null) throw new Error(`GET ${url}: ${response.status}`)
  const eventsOf = (name: string): FleetEvent[] => {
    const found = events.get(name) ?? []
    events.set(name, found)
    return found
  }
  const end = readLines(response.body, (line) => {
    const event: WireEvent = JSON.parse(line)
    if (!['ADDED', 'MODIFIED', 'DELETED'].includes(event.type)) return
    eventsOf(event.object.metadata.name).push(eventOf(event))
    for (const listener of listeners) listener()
  })
  // An aborted watch rejects; `until` reports one that ends early by its timeout.
  end.catch(() => undefined)
  return {
    eventsOf,
    until: (name, condition, from = 0) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          listeners.delete(check)
          const last = JSON.stringify(eventsOf(name).at(-1) ?? null)
          reject(new Error(`fleet ${name}: no such event within ${TIMEOUT_MS} ms, last: ${last}`))
        }, TIMEOUT_MS)
        const check = (): void => {
          const found = eventsOf(name).slice(from).find(condition)
          if (found === undefined) return
          listeners.delete(check)
          clearTimeout(timer)
          resolve(found)
        }
        listeners.add(check)
        check()
      }),
    [Symbol.dispose]: () => aborter.abort(),
  }
}

async function readLines(
  body: ReadableStream<Uint8Array>,
  onLine: (line: string) => void,
): Promise<void> {
  const decoder = new TextDecoder()
  let rest: string[] = []
  for await (const chunk of body) {
    const [first = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n')
    rest.push(first)
    for (const next of lines) {
      const line = rest.join('')
      rest = [next]
      if (line !== '') onLine(line)
    }
  }
}

function eventOf({ type, object }: WireEvent): FleetEvent {
  const { metadata, status = {} } = object
  return {
    time: performance.now(),
    isDeleted: type === 'DELETED',
    isObserved: status.observedGeneration === metadata.generation,
    replicas: status.replicas ?? 0,
    readyReplicas: status.readyReplicas ?? 0,
  }
}
