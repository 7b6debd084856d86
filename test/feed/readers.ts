import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Broadcaster } from '../../src/core/feed/broadcaster.ts'
import type { Change } from '../../src/core/model/change.ts'
import type { Entry } from './journal.ts'

/** A reader, which ends when it has read to where its caller says. */
export interface Reader {
  readonly told: readonly Entry[]
  /** Resolves when everything up to the revision has been read. */
  finish(revision: bigint): Promise<void>
}

interface State {
  readonly place: { epoch: string; revision: bigint }
  /** Changes to take before the next stop. */
  left: number
  /** Where to end; null where that is not known yet. */
  end: bigint | null
}

/** Reads the feed, stops at random in the middle of things, and resumes from where it was. */
export function startReader(broadcaster: Broadcaster): Reader {
  const told: Entry[] = []
  const state: State = { place: { ...broadcaster.resourceVersion }, left: 0, end: null }
  const isAtEnd = (): boolean => state.end !== null && state.place.revision >= state.end

  function take(changes: readonly Change[]): void {
    for (const change of changes.slice(0, state.left)) {
      state.left -= 1
      state.place.revision = change.revision
      if (change.subject !== 'resource') continue
      const { id, version } = change.resource
      told.push({ id, version })
    }
  }

  /** Follows until some changes have come, or the end. */
  async function readSome(): Promise<void> {
    state.left = Math.ceil(Math.random() * 300)
    using _subscription = await broadcaster.follow(
      { ...state.place },
      {
        onChanges: take,
        onLost: () => {
          throw new Error('the feed was lost')
        },
        ready: () => sleep(1),
      },
    )
    while (state.left > 0 && !isAtEnd()) await sleep(3)
  }

  async function read(): Promise<void> {
    while (!isAtEnd()) {
      await readSome()
      await sleep(Math.random() * 50)
    }
  }

  const ended = read()
  return {
    told,
    finish: async (revision) => {
      state.end = revision
      await ended
    },
  }
}

/** What many write first: whoever commits late with an early number is never seen. */
export function startNaiveReader(client: pg.Client): Reader {
  const told: Entry[] = []
  const state = { place: '0', finishing: false }

  async function readOnce(): Promise<number> {
    const { rows } = await client.query(
      'select place, id, version from journal where place > $1 order by place',
      [state.place],
    )
    for (const row of rows) told.push({ id: row.id, version: BigInt(row.version) })
    state.place = rows.at(-1)?.place ?? state.place
    return rows.length
  }

  async function read(): Promise<void> {
    while (!state.finishing) {
      await readOnce()
      await sleep(1)
    }
    await readOnce()
  }

  const ended = read()
  return {
    told,
    finish: async () => {
      state.finishing = true
      await ended
    },
  }
}
