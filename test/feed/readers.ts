import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Broadcaster } from '../../src/store/feed/broadcaster.ts'
import type { Change } from '../../src/store/model/change.ts'
import type { Entry } from './journal.ts'

/** A reader of the feed. */
export interface Reader {
  readonly received: readonly Entry[]
  /** Reads up to the revision, then ends. */
  finish(revision: bigint): Promise<void>
}

interface State {
  readonly position: { epoch: string; revision: bigint }
  /** Number of changes to receive before the next stop. */
  left: number
  /** The last revision to read; null until it is known. */
  end: bigint | null
}

/** Reads the feed, stops at random changes, and resumes from its position. */
export function startReader(broadcaster: Broadcaster): Reader {
  const received: Entry[] = []
  const state: State = { position: { ...broadcaster.resourceVersion }, left: 0, end: null }
  const isAtEnd = (): boolean => state.end !== null && state.position.revision >= state.end

  function take(changes: readonly Change[]): void {
    for (const change of changes.slice(0, state.left)) {
      state.left -= 1
      state.position.revision = change.revision
      if (change.subject !== 'resource') continue
      const { id, version } = change.resource
      received.push({ id, version })
    }
  }

  /** Follows until some changes have arrived, or the end is reached. */
  async function readSome(): Promise<void> {
    state.left = Math.ceil(Math.random() * 300)
    using _subscription = await broadcaster.follow(
      { ...state.position },
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
    received,
    finish: async (revision) => {
      state.end = revision
      await ended
    },
  }
}

/** The obvious but wrong reader: it misses transactions that draw an id early and commit late. */
export function startNaiveReader(client: pg.Client): Reader {
  const received: Entry[] = []
  const state = { position: '0', finishing: false }

  async function readOnce(): Promise<number> {
    const { rows } = await client.query(
      'select position, id, version from journal where position > $1 order by position',
      [state.position],
    )
    for (const row of rows) received.push({ id: row.id, version: BigInt(row.version) })
    state.position = rows.at(-1)?.position ?? state.position
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
    received,
    finish: async () => {
      state.finishing = true
      await ended
    },
  }
}
