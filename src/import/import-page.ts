import type { Database } from '../store/database/database.ts'
import type { Resource } from '../store/model/resource.ts'
import type { RegisteredKind } from '../store/registry/kind.ts'
import { differencesOf } from './differences.ts'
import type { Finding } from './finding.ts'
import { type Imported, importedResource, ownerOf, problemsOf } from './imported-resource.ts'
import { notesOf } from './notes.ts'
import type { SourceResource } from './source.ts'
import { allowPauses } from './storage/allow-pauses.ts'
import { type Existing, readExisting } from './storage/read-existing.ts'
import { writeAsFollower } from './storage/write-guard.ts'
import { insertImported, replaceImported } from './storage/write-imported.ts'
import { textOf } from '../lib/json/json-fields.ts'

const MAX_PAUSE_MS = 60_000

/**
 * `insert` writes what the target lacks, `replace` also what differs, `dry-run` nothing, and `verify`
 * reports also what the target lacks.
 */
export type Mode = 'insert' | 'replace' | 'dry-run' | 'verify'

/** Numbers of resources. */
export interface Totals {
  read: number
  written: number
  replaced: number
  same: number
  skipped: number
  different: number
}

/** The state of an import between pages. */
export interface PageRun {
  readonly database: Database
  readonly mode: Mode
  readonly dimensions: readonly string[]
  /** The guard of the target when the run began; null if other writers may write too. */
  readonly guardId: string | null
  readonly onFinding: (finding: Finding) => void
  readonly totals: Totals
  /** The ids of the resources that the target has, or would have. */
  readonly accepted: Set<string>
  /** The tenants whose resources the source has shown. */
  readonly tenants: Set<string>
  /** The references to compare with `accepted` at the end. */
  readonly references: { readonly kind: string; readonly id: string; readonly target: string }[]
}

/** Imports one page of resources of a kind, whose parents have been imported. */
export async function importPage(
  run: PageRun,
  kind: RegisteredKind,
  page: readonly SourceResource[],
): Promise<void> {
  run.totals.read += page.length
  const candidates = page.flatMap((source) => candidateOf(run, kind, source))
  for (const { resource } of candidates) run.tenants.add(resource.tenant)
  const existing = await readExisting(
    run.database,
    candidates.map(({ resource }) => resource),
  )
  const byId = new Map(existing.map((each) => [each.resource.id, each]))
  const byName = new Map(existing.filter(isLive).map((each) => [nameKey(each.resource), each]))
  const missing: Imported[] = []
  const different: Imported[] = []
  for (const each of candidates) {
    const found = byId.get(each.resource.id)
    const taken = isLive(each) ? byName.get(nameKey(each.resource)) : undefined
    if (found !== undefined) {
      if (compare(run, each, found) === 'different') different.push(each)
    } else if (taken !== undefined) skip(run, each, takenBy(taken))
    else missing.push(each)
  }
  await write(run, missing, different)
}

function candidateOf(
  run: PageRun,
  kind: RegisteredKind,
  source: SourceResource,
): readonly Imported[] {
  const id = textOf(source['id'])
  const problems = [...problemsOf(kind, source), ...ownerProblems(run, kind, source)]
  for (const text of problems) run.onFinding({ effect: 'skipped', kind: kind.kind, id, text })
  if (problems.length > 0) {
    run.totals.skipped += 1
    return []
  }
  if (run.mode !== 'verify') {
    for (const note of notesOf(kind, source, run.dimensions))
      run.onFinding({ ...note, kind: kind.kind, id })
  }
  return [importedResource(kind, source)]
}

function ownerProblems(
  { accepted }: PageRun,
  { parent }: RegisteredKind,
  source: SourceResource,
): readonly string[] {
  const owner = ownerOf(source)
  if (parent === null || owner === '' || accepted.has(owner)) return []
  return [`its ${parent.kind} ${owner} is not imported`]
}

function compare(run: PageRun, wanted: Imported, found: Existing): 'same' | 'different' {
  const { resource } = wanted
  accept(run, wanted)
  const names = differencesOf(wanted, found)
  if (names.length === 0) {
    run.totals.same += 1
    return 'same'
  }
  const isOther = names.includes('kind') || names.includes('tenant')
  if (run.mode === 'replace' && !isOther) return 'different'
  run.totals.different += 1
  const text = `the target has other values: ${names.join(', ')}`
  run.onFinding({ effect: 'differs', kind: resource.kind, id: resource.id, text })
  return 'same'
}

async function write(
  run: PageRun,
  missing: readonly Imported[],
  different: readonly Imported[],
): Promise<void> {
  const { mode, totals, database } = run
  if (mode === 'verify') {
    for (const each of missing) {
      // Its children are compared too.
      accept(run, each)
      totals.different += 1
      const { kind, id } = each.resource
      run.onFinding({ effect: 'differs', kind, id, text: 'the target does not have it' })
    }
    return
  }
  if (mode === 'dry-run') {
    totals.written += missing.length
    for (const each of missing) accept(run, each)
    return
  }
  if (missing.length + different.length === 0) return
  const inserted = await database.transaction(async (transaction) => {
    await allowPauses(transaction, MAX_PAUSE_MS)
    if (run.guardId !== null) await writeAsFollower(transaction, run.guardId)
    await replaceImported(transaction, different)
    return insertImported(transaction, missing)
  })
  totals.replaced += different.length
  totals.written += inserted.size
  for (const each of missing) {
    if (inserted.has(each.resource.id)) accept(run, each)
    else skip(run, each, 'another resource got its name during the import')
  }
}

function accept({ accepted, references }: PageRun, { resource }: Imported): void {
  const { kind, id, refs } = resource
  accepted.add(id)
  for (const target of Object.values(refs).flat()) references.push({ kind, id, target })
}

function skip(run: PageRun, { resource }: Imported, text: string): void {
  run.totals.skipped += 1
  run.onFinding({ effect: 'skipped', kind: resource.kind, id: resource.id, text })
}

function takenBy({ resource: { id, name } }: Existing): string {
  return `its name '${name}' is taken by ${id}, which is not from this source`
}

function isLive({ resource }: Pick<Imported, 'resource'>): boolean {
  return resource.deletedTime === null
}

function nameKey({ tenant, kind, ownerId, name }: Resource): string {
  return JSON.stringify([tenant, kind, ownerId, name])
}
