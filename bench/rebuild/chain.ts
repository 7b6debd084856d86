import { hash } from 'node:crypto'
import { parseResourceVersion } from '../../src/core/feed/resource-version.ts'
import type { Ledger } from './ledger.ts'
import type { StreamEvent } from './open-stream.ts'
import { keyOf, turnOf } from './shown.ts'

/** What is promised of the events of a watch and of those that resume it, one behind the other. */
export interface Chain {
  /** The place up to which everything has been told. */
  readonly position: number
  /** A watch begins behind this token. */
  begin(token: string): void
  /** Judges an event that has a token; `text` is the event as it came. */
  judge(event: StreamEvent, text: string): void
  /** Everything that was told to others since the first token must have been told here. */
  judgeWhole(): void
}

interface Age {
  readonly generation: number
  readonly turn: number
}

/** `complain` is called with what breaks a promise. */
export function createChain(ledger: Ledger, complain: (problem: string) => void): Chain {
  const ages = new Map<string, Age>()
  let epoch: string | null = null
  let position = -1
  let first: number | null = null
  let told = 0
  const advance = (token: string): number => {
    const parsed = parseResourceVersion(token)
    if (!parsed) {
      complain(`'${token}' is no token`)
      return position
    }
    epoch ??= parsed.epoch
    if (parsed.epoch !== epoch) complain(`the epoch ${epoch} became ${parsed.epoch}`)
    return Number(parsed.revision)
  }
  const judgeAge = ({ object }: StreamEvent, revision: number): void => {
    const key = keyOf(object)
    const before = ages.get(key) ?? { generation: 0, turn: 0 }
    const age = { generation: object.generation ?? 0, turn: turnOf(object) ?? 0 }
    if (age.generation < before.generation || age.turn < before.turn) {
      complain(
        `${key} at ${revision} is older than before: ${JSON.stringify(age)} behind ${JSON.stringify(before)}`,
      )
    }
    ages.set(key, age)
  }
  return {
    get position() {
      return position
    },
    begin: (token) => {
      position = Math.max(position, advance(token))
      first ??= position
    },
    judge: (event, text) => {
      const revision = advance(event.resource_version)
      if (event.type === 'BOOKMARK') {
        if (revision < position) complain(`a bookmark at ${revision} behind ${position}`)
        position = Math.max(position, revision)
        return
      }
      if (revision <= position) complain(`${event.type} at ${revision} behind ${position}`)
      position = Math.max(position, revision)
      judgeAge(event, revision)
      if (first === null) return
      // The first watch of a chain without a token may leave out what its state had already.
      told += 1
      const summary = `${event.type} ${keyOf(event.object)} ${hash('sha1', text).slice(0, 12)}`
      const problem = ledger.note(revision, summary)
      if (problem !== null) complain(problem)
    },
    judgeWhole: () => {
      const expected = first === null ? 0 : ledger.countAfter(first)
      if (first !== null && told !== expected) {
        complain(`${told} events since ${first}, although others were told ${expected}`)
      }
    },
  }
}
