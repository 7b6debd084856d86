import { isDeepStrictEqual } from 'node:util'
import { FlotillaError } from '../../../lib/errors.ts'
import { retry } from '../../../lib/async/retry.ts'
import type { Resource } from '../../model/resource.ts'
import type { Database } from '../../database/database.ts'
import { declareAdapters } from '../../resources/declare-adapters.ts'
import { deleteResources } from '../../resources/delete/delete-resources.ts'
import type { ResourceWithReports } from '../../resources/resource-with-reports.ts'
import { lockTrees, readTrees, type Tree, type TreeRoots } from '../../resources/trees.ts'
import { WRITE_ATTEMPTS } from '../context.ts'
import { planDeletion } from '../write/plan-deletion.ts'
import type { BulkContext } from './bulk-context.ts'
import { Changed, unlessChanged } from './unless-changed.ts'

interface Declaration {
  readonly requiredAdapters: Resource['requiredAdapters']
  readonly user: string
  /** Locks what the declaration depends on, before the trees. */
  readonly lock: (database: Database) => Promise<void>
}

/**
 * Makes trees require the adapters of a declaration, in one transaction. Deleted resources are
 * removed if they now wait for no adapter. Skips trees with kinds that this server does not declare:
 * another server may know their rules.
 */
export async function declareMany(
  context: BulkContext,
  roots: TreeRoots,
  declaration: Declaration,
): Promise<void> {
  const isDone = await retry(WRITE_ATTEMPTS, null, () =>
    unlessChanged(async () => {
      await context.database.transaction((inside) =>
        declare({ ...context, database: inside }, roots, declaration),
      )
      return true
    }),
  )
  if (isDone === null) {
    throw new FlotillaError('unavailable', 'The resources kept changing: send the request again')
  }
  context.feed.sequencer.notifyWrite()
}

interface Transaction extends Pick<BulkContext, 'registry' | 'clock'> {
  readonly database: Database
}

/** Runs in the transaction of the context's database. */
async function declare(
  context: Transaction,
  roots: TreeRoots,
  declaration: Declaration,
): Promise<void> {
  const { database } = context
  await declaration.lock(database)
  await lockTrees(database, roots)
  const now = context.clock()
  const found = [...(await readTrees(database, roots)).values()]
  const trees = found.filter((tree) => tree.every(({ resource }) => isDeclared(context, resource)))
  const declared = trees.map((tree) => declaredTree(context, tree, { ...declaration, now }))
  const changed = declared
    .flat()
    .map(({ resource }) => resource)
    .filter(({ updatedTime }) => updatedTime === now)
  await declareAdapters(database, changed)
  for (const tree of declared) await removeFinished(context, tree, declaration.user)
}

function isDeclared({ registry }: Transaction, { kind }: Resource): boolean {
  return registry.find(kind) !== null
}

function declaredTree(
  context: Transaction,
  [root, ...descendants]: Tree,
  declaration: Pick<Declaration, 'requiredAdapters' | 'user'> & { readonly now: Date },
): Tree {
  const declaredOf = (entry: ResourceWithReports) => declaredEntry(context, entry, declaration)
  return [declaredOf(root), ...descendants.map(declaredOf)]
}

/** The same entry if it has the declaration. */
function declaredEntry(
  { registry }: Transaction,
  entry: ResourceWithReports,
  {
    requiredAdapters,
    user,
    now,
  }: Pick<Declaration, 'requiredAdapters' | 'user'> & { readonly now: Date },
): ResourceWithReports {
  const { resource: before, states } = entry
  if (isDeepStrictEqual(before.requiredAdapters, requiredAdapters)) return entry
  const next = { ...before, requiredAdapters, version: before.version + 1n }
  const { statusHooks } = registry.byName(before.kind)
  const write = { type: 'declaration', resource: next, records: states } as const
  const conditions = statusHooks?.conditionsAfter(write, now) ?? before.conditions
  return { states, resource: { ...next, conditions, updatedTime: now, updatedBy: user } }
}

async function removeFinished(
  { database, registry, clock }: Transaction,
  tree: Tree,
  user: string,
): Promise<void> {
  const [{ resource: root }] = tree
  if (root.deletedTime === null) return
  const now = clock()
  const { removed, kept, awaitingChildren } = planDeletion(registry, tree, {
    caller: { user },
    now,
  })
  if (removed.length === 0) return
  const ids = tree.map(({ resource }) => resource.id)
  const links = { ancestors: [], tree: ids, referencePatterns: [], awaitingChildren }
  const deletion = { ...links, kept, removed, now, actor: user }
  if (!(await deleteResources(database, deletion))) throw new Changed()
}
