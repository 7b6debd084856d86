import { assert } from '../../../lib/assert.ts'
import { endLongTurn } from '../../../lib/async/steps.ts'
import { retry } from '../../../lib/async/retry.ts'
import { FlotillaError } from '../../../lib/errors.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import type { WriteGuard } from '../../objects/model/write-guard.ts'
import { lockGuards } from '../../objects/storage/lock-guards.ts'
import type { Database } from '../../database/database.ts'
import { unlessCollision } from '../../database/unless-collision.ts'
import type { Resource } from '../../model/resource.ts'
import type { StoredResponse } from '../../idempotency/find-response.ts'
import type { IdempotencyKey } from '../../idempotency/idempotency-key.ts'
import { storeResponse } from '../../idempotency/store-response.ts'
import { insertUnlessTaken, rowText } from '../../resources/insert/insert-unless-taken.ts'
import { lockLive } from '../../resources/lock-live.ts'
import { WRITE_ATTEMPTS } from '../context.ts'
import { replayResponse } from '../write/replay-response.ts'
import { nameTaken } from '../write/write-failures.ts'
import { checkDependencies, dependenciesOf, planTrees, type TreePlan } from './plan-trees.ts'
import type { BulkContext } from './bulk-context.ts'
import type { CreatedTree, TreeCreation, TreeOutcome } from './tree-creation.ts'
import { guardFailed } from './guard-failed.ts'

/** The most trees of one call. */
export const MAX_TREES = 1000

/** Makes the whole call idempotent: a repeated request gets the first response. */
export interface OnceForAll extends IdempotencyKey {
  readonly answerOf: (outcomes: readonly TreeOutcome[]) => JsonObject
}

export interface BulkCreateOptions {
  /** Whether nothing is written if one tree fails. */
  readonly atomic: boolean
  /**
   * Whether a parent that does not exist fails the call instead of its trees, because all trees have
   * the same one. False by default.
   */
  readonly requireParent?: boolean
  /** Nothing is written unless all guards hold. None by default. */
  readonly guards?: readonly WriteGuard[]
  /**
   * Prepares rows that belong to the new trees, before the transaction: PostgreSQL ends transactions
   * that wait too long for their next statement. If it throws, nothing is written. Called again if
   * the transaction collided with another one.
   */
  readonly seed?: (planned: readonly CreatedTree[]) => Promise<WriteSeeds>
  readonly once?: OnceForAll | null
}

/** Writes the prepared rows of the created trees in their transaction. If it throws, nothing is written. */
export type WriteSeeds = (database: Database, created: readonly CreatedTree[]) => Promise<void>

/** The outcome of each tree, in order, or the recorded response to an earlier call. */
export type BulkCreateOutcome =
  | { readonly outcomes: readonly TreeOutcome[] }
  | { readonly replayed: StoredResponse }

/**
 * Creates up to MAX_TREES trees in one transaction with a fixed number of statements. Each tree
 * succeeds or fails separately, for the same reasons as `createResource`, unless the call is
 * atomic. Fails with `conflict` if a guard does not hold.
 */
export async function createMany(
  context: BulkContext,
  trees: readonly TreeCreation[],
  options: BulkCreateOptions,
): Promise<BulkCreateOutcome> {
  assert(trees.length <= MAX_TREES, `at most ${MAX_TREES} trees`)
  const outcome = await retry(WRITE_ATTEMPTS, null, () => attempt(context, trees, options))
  if (outcome) return outcome
  throw new FlotillaError(
    'unavailable',
    'The creates collided with other writes too often: send them again',
  )
}

/** Thrown to roll back an atomic call. */
class Aborted extends Error {
  readonly outcomes: readonly TreeOutcome[]

  constructor(outcomes: readonly TreeOutcome[]) {
    super('a tree of an atomic call failed')
    this.outcomes = outcomes
  }
}

/** Null if the transaction collided with another one: the caller tries again. */
async function attempt(
  context: BulkContext,
  trees: readonly TreeCreation[],
  options: BulkCreateOptions,
): Promise<BulkCreateOutcome | null> {
  const { database, feed } = context
  const { once = null, seed } = options
  const replayed = once && (await replayResponse(database, once))
  if (replayed) return { replayed }
  const plans = planTrees(trees, context.clock())
  const valid = plans.filter(({ error }) => error === null).map(({ tree }) => tree)
  const writeSeeds = (await seed?.(valid)) ?? null
  const texts = await serializeRows(valid)
  try {
    const outcomes = await unlessCollision(
      () => database.transaction((inside) => write(inside, { plans, texts, writeSeeds }, options)),
      null,
    )
    if (outcomes === null) return null
    feed.sequencer.notifyWrite()
    return { outcomes }
  } catch (error) {
    if (!(error instanceof Aborted)) throw error
    // The names may belong to a concurrent request with the same key.
    const sent = once && (await replayResponse(database, once))
    return sent ? { replayed: sent } : { outcomes: error.outcomes }
  }
}

/** Serializes rows before the transaction, whose locks would make other writes wait for the turns. */
async function serializeRows(
  trees: readonly CreatedTree[],
): Promise<ReadonlyMap<Resource, string>> {
  const texts = new Map<Resource, string>()
  for (const { root, children } of trees) {
    for (const resource of [root, ...children]) {
      texts.set(resource, rowText(resource))
      await endLongTurn()
    }
  }
  return texts
}

interface Prepared {
  readonly plans: readonly TreePlan[]
  readonly texts: ReadonlyMap<Resource, string>
  readonly writeSeeds: WriteSeeds | null
}

/**
 * The statements of the transaction. Locks guards, then parents and targets in order of their ids,
 * then names in their order.
 */
async function write(
  database: Database,
  { plans, texts, writeSeeds }: Prepared,
  options: BulkCreateOptions,
): Promise<readonly TreeOutcome[]> {
  const { atomic, guards = [], once = null } = options
  if (!(await lockGuards(database, guards))) throw guardFailed()
  const locked = await lockLive(database, dependenciesOf(plans))
  const byId = new Map(locked.map((resource) => [resource.id, resource]))
  const checked = plans.map((plan) => checkDependencies(plan, byId))
  const orphan = checked.find(({ error }) => error?.reason === 'not-found')
  if (options.requireParent && orphan?.error) throw orphan.error
  const valid = checked.filter(({ error }) => error === null)
  const inserted = await insertUnlessTaken(
    database,
    valid.map(({ tree }) => tree.root),
    texts,
  )
  const results = checked.map((plan) => withResult(plan, inserted))
  if (atomic && results.some(({ error }) => error !== null)) throw new Aborted(aborted(results))
  const created = results.filter(({ error }) => error === null).map(({ tree }) => tree)
  await insertChildren(database, created, texts)
  if (writeSeeds && created.length > 0) await writeSeeds(database, created)
  const outcomes = results.map(outcomeOf)
  if (once) await storeResponse(database, once, once.answerOf(outcomes))
  return outcomes
}

function withResult(plan: TreePlan, inserted: ReadonlySet<string>): TreePlan {
  const { error, tree } = plan
  if (error !== null || inserted.has(tree.root.id)) return plan
  return { ...plan, error: nameTaken(tree.root) }
}

/** No other resource can have the name of a child of a new root. */
async function insertChildren(
  database: Database,
  created: readonly CreatedTree[],
  texts: ReadonlyMap<Resource, string>,
): Promise<void> {
  const children = created.flatMap((tree) => tree.children)
  const inserted = await insertUnlessTaken(database, children, texts)
  assert(inserted.size === children.length, 'names of new children are free')
}

function outcomeOf({ error, tree: { root, children } }: TreePlan): TreeOutcome {
  return error === null ? { status: 'created', root, children } : { status: 'failed', error }
}

function aborted(plans: readonly TreePlan[]): readonly TreeOutcome[] {
  return plans.map(({ error }) =>
    error === null ? { status: 'aborted' } : { status: 'failed', error },
  )
}
