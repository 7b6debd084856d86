import { assert } from '../../../lib/assert.ts'
import { chunksOf } from '../../../lib/chunks-of.ts'
import { notFound } from '../../../lib/errors.ts'
import { retry } from '../../../lib/async/retry.ts'
import type { Caller } from '../../../access/principal.ts'
import type { TenantScope } from '../../../access/tenant.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import type { WriteGuard } from '../../objects/model/write-guard.ts'
import { lockGuards } from '../../objects/storage/lock-guards.ts'
import type { Database } from '../../database/database.ts'
import { deleteResources } from '../../resources/delete/delete-resources.ts'
import { lockTrees, readTrees } from '../../resources/trees.ts'
import { WRITE_ATTEMPTS } from '../context.ts'
import { keptChanging } from '../write/write-failures.ts'
import type { BulkContext } from './bulk-context.ts'
import type { DeleteOutcome } from './delete-outcome.ts'
import { guardFailed } from './guard-failed.ts'
import { planTreeDeletions } from './plan-tree-deletions.ts'
import { Changed, unlessChanged } from './unless-changed.ts'

/** Trees that share a transaction. More would hold their locks for too long. */
const TREES_PER_TRANSACTION = 250

/** Attempts for a chunk of trees before each tree gets its own transaction. */
const CHUNK_ATTEMPTS = 4

/** The roots to delete. A null tenant selects all tenants. */
export interface BulkDeletion {
  /** A root kind. */
  readonly kind: RegisteredKind
  readonly tenant: TenantScope
  readonly ids: readonly string[]
}

export interface BulkDeleteOptions {
  readonly caller: Pick<Caller, 'user'>
  /** Each transaction checks all of them. None by default. */
  readonly guards?: readonly WriteGuard[]
  /**
   * Returns the ids that may be deleted. It runs in the transaction that deletes them, so that it can
   * lock rows first. Other ids are skipped. By default, all may be deleted.
   */
  readonly select?: (database: Database, ids: readonly string[]) => Promise<readonly string[]>
}

/**
 * Deletes many roots and their descendants, like `deleteResource`, with a few statements for
 * hundreds of them. Returns the outcome of each id. Fails with `conflict` if a guard does not hold;
 * roots of earlier transactions stay deleted.
 */
export async function deleteMany(
  context: BulkContext,
  { kind, tenant, ids }: BulkDeletion,
  options: BulkDeleteOptions,
): Promise<ReadonlyMap<string, DeleteOutcome>> {
  assert(kind.parent === null, `${kind.kind} is a root kind`)
  const outcomes = new Map<string, DeleteOutcome>()
  for (const chunk of chunksOf([...new Set(ids)], () => 1, TREES_PER_TRANSACTION)) {
    const deletion = { kind, tenant, ids: chunk }
    const deleted =
      (await deleteChunk(context, deletion, { ...options, attempts: CHUNK_ATTEMPTS })) ??
      (await deleteOneByOne(context, deletion, options))
    for (const [id, outcome] of deleted) outcomes.set(id, outcome)
    context.feed.sequencer.notifyWrite()
  }
  return outcomes
}

async function deleteOneByOne(
  context: BulkContext,
  { ids, ...deletion }: BulkDeletion,
  options: BulkDeleteOptions,
): Promise<ReadonlyMap<string, DeleteOutcome>> {
  const outcomes = new Map<string, DeleteOutcome>()
  for (const id of ids) {
    const one = { ...deletion, ids: [id] }
    // One after the other: they have just collided with other writers.
    const deleted = await deleteChunk(context, one, { ...options, attempts: WRITE_ATTEMPTS })
    const error = keptChanging({ ...deletion, id, ownerId: null })
    outcomes.set(id, deleted?.get(id) ?? { status: 'failed', error })
  }
  return outcomes
}

/** Null if every attempt collided with other writes. */
function deleteChunk(
  context: BulkContext,
  deletion: BulkDeletion,
  { attempts, ...options }: BulkDeleteOptions & { readonly attempts: number },
): Promise<ReadonlyMap<string, DeleteOutcome> | null> {
  return retry(attempts, null, () =>
    unlessChanged(() => deleteInTransaction(context, deletion, options)),
  )
}

async function deleteInTransaction(
  context: BulkContext,
  { kind, tenant, ids }: BulkDeletion,
  { caller, guards = [], select }: BulkDeleteOptions,
): Promise<ReadonlyMap<string, DeleteOutcome>> {
  return context.database.transaction(async (database) => {
    if (!(await lockGuards(database, guards))) throw guardFailed()
    const selected = select ? await select(database, ids) : ids
    const roots = { kind: kind.kind, tenant, ids: selected }
    await lockTrees(database, roots)
    const trees = await readTrees(database, roots)
    const now = context.clock()
    const plan = await planTreeDeletions({ ...context, database }, trees, { caller, now })
    if (!(await deleteResources(database, { ...plan.deletion, now, actor: caller.user }))) {
      throw new Changed()
    }
    const isSelected = new Set(selected)
    const otherwise = (id: string): DeleteOutcome =>
      isSelected.has(id)
        ? { status: 'failed', error: notFound(kind.kind, id) }
        : { status: 'skipped' }
    return new Map(ids.map((id) => [id, plan.outcomes.get(id) ?? otherwise(id)]))
  })
}
