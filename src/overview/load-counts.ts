import { createHash } from 'node:crypto'
import type { Database } from '../store/database/database.ts'
import type { Registry } from '../store/registry/registry.ts'
import { stateOf } from './resource-state.ts'
import { StateCounts } from './state-counts.ts'
import { type CountedChange, type CountedFields, scanStates } from './storage/scan-states.ts'
import { readStoredCounts } from './storage/stored-counts.ts'

/** Raise it when a state has other fields, or another meaning. */
const VERSION = 1

/** The counts of all resources at a revision of the log. */
export interface LoadedCounts {
  readonly counts: StateCounts
  readonly epoch: string
  readonly revision: bigint
}

/** Identifies the rules of counting: servers with the same one share their counts. */
export function fingerprintOfCounts(registry: Registry): string {
  const kinds = registry.kinds.map(({ kind, requiredAdapters, statusHooks }) => {
    return [kind, requiredAdapters, statusHooks?.adapterTypes ?? []]
  })
  return createHash('sha256')
    .update(JSON.stringify([VERSION, kinds]))
    .digest('hex')
    .slice(0, 16)
}

/**
 * Loads the stored counts and adds the changes since then. Without them, and if the totals of the
 * sequencer contradict them, reads all resources.
 */
export async function loadCounts(database: Database, registry: Registry): Promise<LoadedCounts> {
  return (await readCounts(database, registry)) ?? scanCounts(database, registry)
}

/** Counts a change of a resource. */
export function countChange(
  registry: Registry,
  counts: StateCounts,
  { type, after, before }: CountedChange,
): void {
  counts.add(stateOf(registry, after), type === 'DELETED' ? -1 : 1)
  if (before) counts.add(stateOf(registry, before), -1)
}

async function readCounts(database: Database, registry: Registry): Promise<LoadedCounts | null> {
  const counts = new StateCounts()
  const asked = {
    fingerprint: fingerprintOfCounts(registry),
    kinds: registry.kinds.map(({ kind }) => kind),
  }
  const found = await readStoredCounts(database, asked, (change) => {
    countChange(registry, counts, change)
  })
  if (found === null) return null
  const { stored, revision, totals } = found
  for (const { state, count } of stored.states) counts.add(state, count)
  const rest = new Map(totals.map(({ kind, tenant, total }) => [keyOf({ kind, tenant }), total]))
  for (const { state, count } of counts.of(null)) {
    if (count < 0) return null
    if (!asked.kinds.includes(state.kind)) continue
    const key = keyOf(state)
    rest.set(key, (rest.get(key) ?? 0) - count)
  }
  const isRight = [...rest.values()].every((left) => left === 0)
  return isRight ? { counts, epoch: stored.epoch, revision } : null
}

function keyOf({ kind, tenant }: Pick<CountedFields, 'kind' | 'tenant'>): string {
  return JSON.stringify([kind, tenant])
}

async function scanCounts(database: Database, registry: Registry): Promise<LoadedCounts> {
  const types = registry.kinds.flatMap(({ statusHooks }) => statusHooks?.adapterTypes ?? [])
  const { epoch, revision, groups, pending } = await scanStates(database, types)
  const counts = new StateCounts()
  for (const group of groups) counts.add(stateOf(registry, group), group.count)
  // These changes are still to come from the log.
  for (const { type, before, after } of pending) {
    counts.add(stateOf(registry, after), type === 'DELETED' ? 1 : -1)
    if (before) counts.add(stateOf(registry, before), 1)
  }
  return { counts, epoch, revision }
}
