import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Hub } from '../../src/core/feed/hub.ts'
import type { Token } from '../../src/core/feed/token.ts'
import type { Change } from '../../src/core/model/change.ts'
import type { Entry } from './journal.ts'

/** A reader, which ends when it has read to where its caller says. */
export interface Reader {
  readonly told: readonly Entry[]
  /** Resolves when everything up to the revision has been read. */
  finish(revision: bigint): Promise<void>
}

/** Reads the feed, stops at random in the middle of things, and resumes from where it was. */
export function startReader(hub: Hub): Reader {
  const told: Entry[] = []
  let place: Token = hub.position
  let end: bigint | null = null

  /** Follows until so many changes have come, or the end. */
  async function readSome(most: number): Promise<void> {
    let left = most
    const take = (changes: readonly Change[]): void => {
      for (const change of changes) {
        if (left === 0) return
        left -= 1
        place = { ...place, revision: change.revision }
        if (change.subject !== 'resource') continue
        const { id, version } = change.resource
        told.push({ id, version })
      }
    }
    using _subscription = await hub.follow(place, {
      onChanges: take,
      onLost: () => {
        throw new Error('the feed was lost')
      },
      ready: () => sleep(1),
    })
    while (left > 0 && (end === null || place.revision < end)) await sleep(3)
  }

  async function read(): Promise<void> {
    while (end === null || place.revision < end) {
      await readSome(Math.ceil(Math.random() * 300))
      await sleep(Math.random() * 50)
    }
  }

  const ended = read()
  return {
    told,
    finish: async (revision) => {
      end = revision
      await ended
    },
  }
}

/** What many write first: whoever commits late with an early number is never seen. */
export function startNaiveReader(client: pg.Client): Reader {
  const told: Entry[] = []
  let place = '0'
  let finishing = false

  async function readOnce(): Promise<number> {
    const { rows } = await client.query(
      'select place, id, version from journal where place > $1 order by place',
      [place],
    )
    for (const row of rows) told.push({ id: row.id, version: BigInt(row.version) })
    place = rows.at(-1)?.place ?? place
    return rows.length
  }

  async function read(): Promise<void> {
    while (!finishing) {
      await readOnce()
      await sleep(1)
    }
    await readOnce()
  }

  const ended = read()
  return {
    told,
    finish: async () => {
      finishing = true
      await ended
    },
  }
}
