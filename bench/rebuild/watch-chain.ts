import { hash } from 'node:crypto'
import { parseResourceVersion } from '../../src/store/feed/resource-version.ts'
import type { EventLog } from './event-log.ts'
import type { WatchEvent } from './open-watch.ts'
import { keyOf, sequenceOf } from './wire-object.ts'

/** Checks the guarantees for the events of a watch and of the watches that resume it. */
export interface WatchChain {
  /** The revision up to which all events have arrived. */
  readonly revision: number
  /** A watch starts after this resource version. */
  begin(resourceVersion: string): void
  /** Checks an event that has a resource version. `text` is the event as received. */
  check(event: WatchEvent, text: string): void
  /** Checks that every event that other watches received since the first `begin` arrived here too. */
  checkComplete(): void
}

interface Age {
  readonly generation: number
  readonly sequence: number
}

/** Calls `complain` with each violated guarantee. */
export function createWatchChain(
  eventLog: EventLog,
  complain: (problem: string) => void,
): WatchChain {
  const ages = new Map<string, Age>()
  let epoch: string | null = null
  let current = -1
  let first: number | null = null
  let delivered = 0
  const advance = (resourceVersion: string): number => {
    const parsed = parseResourceVersion(resourceVersion)
    if (!parsed) {
      complain(`'${resourceVersion}' is not a resource version`)
      return current
    }
    epoch ??= parsed.epoch
    if (parsed.epoch !== epoch) complain(`the epoch ${epoch} became ${parsed.epoch}`)
    return Number(parsed.revision)
  }
  const checkAge = ({ object }: WatchEvent, revision: number): void => {
    const key = keyOf(object)
    const before = ages.get(key) ?? { generation: 0, sequence: 0 }
    const age = { generation: object.generation ?? 0, sequence: sequenceOf(object) ?? 0 }
    if (age.generation < before.generation || age.sequence < before.sequence) {
      const [older, newer] = [JSON.stringify(age), JSON.stringify(before)]
      complain(`${key} at ${revision} is older than its last event: ${older} after ${newer}`)
    }
    ages.set(key, age)
  }
  return {
    get revision() {
      return current
    },
    begin: (resourceVersion) => {
      current = Math.max(current, advance(resourceVersion))
      first ??= current
    },
    check: (event, text) => {
      const revision = advance(event.resource_version)
      if (event.type === 'BOOKMARK') {
        if (revision < current) complain(`a bookmark at ${revision} after ${current}`)
        current = Math.max(current, revision)
        return
      }
      if (revision <= current) complain(`${event.type} at ${revision} after ${current}`)
      current = Math.max(current, revision)
      checkAge(event, revision)
      if (first === null) return
      // A watch that starts with the existing objects may omit events that they already include.
      delivered += 1
      const summary = `${event.type} ${keyOf(event.object)} ${hash('sha1', text).slice(0, 12)}`
      const problem = eventLog.record(revision, summary)
      if (problem !== null) complain(problem)
    },
    checkComplete: () => {
      const expected = first === null ? 0 : eventLog.countAfter(first)
      if (first !== null && delivered !== expected) {
        complain(`${delivered} events since ${first}, but other watches received ${expected}`)
      }
    },
  }
}
