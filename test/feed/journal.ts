import type pg from 'pg'

/** A write, recorded in its own transaction: the reference for a feed. */
export interface Entry {
  readonly id: string
  readonly version: bigint
}

/** Creates the table in which writers record their writes. */
export async function createJournal(client: pg.Client): Promise<void> {
  await client.query(`
    create table journal (
      position bigint generated always as identity primary key,
      id      text   not null,
      version bigint not null,
      unique (id, version)
    )`)
}

/** Every committed write, in no particular order. */
export async function readJournal(client: pg.Client): Promise<readonly Entry[]> {
  const { rows } = await client.query<{ id: string; version: string }>(
    'select id, version from journal',
  )
  return rows.map(({ id, version }) => ({ id, version: BigInt(version) }))
}

export interface Faults {
  readonly missed: number
  readonly doubled: number
  /** Received after a later write of the same resource. */
  readonly disordered: number
  /** Received, but never committed. */
  readonly invented: number
}

export const FAULTLESS: Faults = { missed: 0, doubled: 0, disordered: 0, invented: 0 }

/** Compares the received changes, in order, with the committed ones. */
export function faultsOf(journal: readonly Entry[], received: readonly Entry[]): Faults {
  const committed = new Set(journal.map(keyOf))
  const seen = new Set<string>()
  const newest = new Map<string, bigint>()
  let doubled = 0
  let disordered = 0
  let invented = 0
  for (const entry of received) {
    const key = keyOf(entry)
    if (!committed.has(key)) invented += 1
    if (seen.has(key)) doubled += 1
    else if (entry.version < (newest.get(entry.id) ?? 0n)) disordered += 1
    seen.add(key)
    newest.set(entry.id, entry.version)
  }
  const missed = [...committed].filter((key) => !seen.has(key)).length
  return { missed, doubled, disordered, invented }
}

function keyOf({ id, version }: Entry): string {
  return `${id} ${version}`
}
