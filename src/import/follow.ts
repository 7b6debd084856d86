import { ImportError } from './import-error.ts'
import { type ImportOptions, type ImportParts, importResources } from './import-resources.ts'
import type { Totals } from './import-page.ts'
import type { Source } from './source.ts'
import { type ImportedKey, listImported, removeImported } from './storage/remove-imported.ts'
import {
  closeForWrites,
  markCompared,
  reopenForWrites,
  openForWrites,
  readGuard,
  renewGuard,
  writeAsFollower,
} from './storage/write-guard.ts'

/** Transactions of the source commit at most this long after the times in their rows. */
const OVERLAP_MS = 60_000
/** Removals are found by a pass over all resources, which every pass of this number is. */
const FULL_PASS_EVERY = 10
const REMOVALS_AT_ONCE = 500

/** The two sides of an import that follows its source. */
export interface Following extends ImportParts {
  readonly options: Omit<ImportOptions, 'mode' | 'since' | 'accepted' | 'tenants' | 'guardId'>
}

/**
 * Makes the source the only writer of the target. Throws an ImportError if the target has resources that the
 * source lacks, because a follower would remove them. Several processes may begin together: none of them
 * writes before a comparison with its source, and none opens a target that another one has closed or compared.
 */
export async function beginFollowing(following: Following): Promise<void> {
  const { database, source } = following
  // A process that ended during the comparison has left the target closed.
  if ((await readGuard(database))?.source === source.title) return
  const guard = await closeForWrites(database)
  // The first pass that writes reports the same findings.
  const silent = { ...following, options: { ...following.options, onFinding: () => undefined } }
  const { accepted } = await pass(silent, { since: null, mode: 'dry-run' })
  const others = await resourcesBeside(following, accepted)
  if (others.length === 0) {
    await markCompared(database, guard, source.title)
    return
  }
  const left = await reopenForWrites(database, guard)
  // Another process has imported resources that the source got after this comparison.
  if (left?.source === source.title) return
  const remedy =
    left === null
      ? ''
      : `. It stays closed, as ${left.source === null ? 'another process has closed it' : `it follows ${left.source}`}: open it with --abort`
  throw new ImportError(
    `the target has ${others.length} resources that the source lacks, such as ${others[0]?.id}: --follow would remove them${remedy}`,
  )
}

/** Mirrors the source until `finish` has opened the target, or until a pause ends with false. */
export async function follow(
  following: Following,
  {
    pause,
    onPass,
  }: {
    readonly pause: () => Promise<boolean>
    readonly onPass: (totals: Totals, removed: number) => void
  },
): Promise<void> {
  let known = new Set<string>()
  const tenants = new Set<string>()
  let since: Date | null = null
  for (let number = 0; ; number += 1) {
    const guard = await readGuard(following.database)
    if (guard === null) return
    if (guard.source !== following.source.title) {
      throw new ImportError(
        `the target follows ${guard.source ?? 'no source'} now: repeat --follow`,
      )
    }
    const isFull = number % FULL_PASS_EVERY === 0
    const started = new Date(Date.now() - OVERLAP_MS)
    const { totals, accepted } = await pass(following, {
      since: isFull ? null : since,
      mode: 'replace',
      accepted: isFull ? new Set() : known,
      tenants,
      guardId: guard.id,
    })
    known = accepted
    since = started
    const removed = isFull
      ? await removeOthers(following, { accepted, tenants, guardId: guard.id })
      : 0
    onPass(totals, removed)
    if (!(await pause())) return
  }
}

/**
 * Copies the last changes, compares both sides, and lets servers write again if they are equal. The writers of
 * the source must have stopped. Returns whether the import is finished.
 */
export async function finish(following: Following): Promise<boolean> {
  const { database, source } = following
  // A follower may have read the source before its last change: it would remove what that has added.
  const { id: guardId } = await renewGuard(database, source.title)
  const tenants = new Set<string>()
  const { accepted: copied } = await pass(following, {
    since: null,
    mode: 'replace',
    tenants,
    guardId,
  })
  // A resource with the name of a removed one is written after the removal.
  if ((await removeOthers(following, { accepted: copied, tenants, guardId })) > 0) {
    await pass(following, { since: null, mode: 'replace', guardId })
  }
  const { totals, accepted } = await pass(following, { since: null, mode: 'verify' })
  const others = await resourcesBeside(following, accepted)
  if (totals.different + others.length > 0) return false
  await openForWrites(database)
  return true
}

async function pass(
  following: Following,
  given: Pick<ImportOptions, 'mode' | 'since' | 'accepted' | 'tenants' | 'guardId'>,
): Promise<{ readonly totals: Totals; readonly accepted: Set<string> }> {
  const { accepted = new Set() } = given
  const options = { ...following.options, ...given, accepted }
  const totals = await importResources(following, options)
  return { totals, accepted }
}

async function resourcesBeside(
  { database, registry }: Following,
  accepted: ReadonlySet<string>,
): Promise<readonly ImportedKey[]> {
  const kinds = registry.kinds.map(({ kind }) => kind)
  return (await listImported(database, kinds)).filter(({ id }) => !accepted.has(id))
}

/** The resources and tenants that a process has read from its source, and the guard of the target. */
interface Shown {
  readonly accepted: ReadonlySet<string>
  readonly tenants: ReadonlySet<string>
  readonly guardId: string
}

/** Removes the resources that the source has removed. Returns their number. */
async function removeOthers(following: Following, shown: Shown): Promise<number> {
  const others = await resourcesBeside(following, shown.accepted)
  requireLists(following, others)
  const removed: string[] = []
  for (const other of others) {
    if (isRemoved(following.source, shown, other)) removed.push(other.id)
    else reportHidden(following, other)
  }
  for (let at = 0; at < removed.length; at += REMOVALS_AT_ONCE) {
    const ids = removed.slice(at, at + REMOVALS_AT_ONCE)
    await following.database.transaction(async (transaction) => {
      await writeAsFollower(transaction, shown.guardId)
      await removeImported(transaction, ids)
    })
  }
  return removed.length
}

/**
 * Whether the source has removed a resource that it does not show. A token may not see its tenant, and a source
 * without any resource may be another one.
 */
function isRemoved(
  { mayHideTenants }: Source,
  { accepted, tenants }: Shown,
  { tenant }: ImportedKey,
): boolean {
  return accepted.size > 0 && (!mayHideTenants || tenants.has(tenant))
}

function reportHidden({ options }: Following, { id, kind }: ImportedKey): void {
  const text = 'it is not removed: the source shows no resource of its tenant, and may hide them'
  options.onFinding({ effect: 'kept', kind, id, text })
}

/** Throws an ImportError if the source lacks some resources because it lacks the list of their kind. */
function requireLists({ source, registry }: Following, others: readonly ImportedKey[]): void {
  const first = others.find(({ kind }) => source.unlisted.has(kind))
  if (first === undefined) return
  const { plural } = registry.byName(first.kind)
  throw new ImportError(
    `the source has no list of ${plural}, of which the target has ${first.id}: nothing is removed. Check the address and the token, and repeat the command`,
  )
}
