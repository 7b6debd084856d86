import type { Database } from '../store/database/database.ts'
import type { RegisteredKind } from '../store/registry/kind.ts'
import type { Registry } from '../store/registry/registry.ts'
import type { Finding } from './finding.ts'
import { importPage, type Mode, type PageRun, type Totals } from './import-page.ts'
import type { Source } from './source.ts'

/** How resources are imported. */
export interface ImportOptions {
  readonly mode: Mode
  /** The dimensions of tenants in TENANT_HEADERS. */
  readonly dimensions: readonly string[]
  /** Only resources that have changed after this time; null for all of them. */
  readonly since?: Date | null
  /** The ids that earlier passes have accepted; the ids of this pass are added. */
  readonly accepted?: Set<string>
  /** The tenants whose resources earlier passes have read; those of this pass are added. */
  readonly tenants?: Set<string>
  /** The guard of the target when the pass began, if it is closed for other writers. */
  readonly guardId?: string
  readonly onFinding: (finding: Finding) => void
  /** Called after each page with the number of resources of the kind so far. */
  readonly onProgress?: (kind: string, read: number) => void
}

/** The source of an import, and its target. */
export interface ImportParts {
  readonly database: Database
  readonly source: Source
  readonly registry: Registry
}

/**
 * Reads all resources of the source, parents before children, and writes those that the target lacks, in
 * one transaction per page. Resources that the target has already are compared, so that a repetition
 * continues an import that was interrupted.
 */
export async function importResources(
  { database, source, registry }: ImportParts,
  options: ImportOptions,
): Promise<Totals> {
  const { since = null, accepted = new Set(), tenants = new Set(), guardId = null } = options
  const { onFinding, onProgress } = options
  const totals: Totals = { read: 0, written: 0, replaced: 0, same: 0, skipped: 0, different: 0 }
  const run: PageRun = { ...options, database, totals, accepted, tenants, guardId, references: [] }
  const changes = since === null ? null : { since, accepted }
  if (since === null) await reportLeftovers(source, registry, onFinding)
  for (const kind of parentsFirst(registry)) {
    let read = 0
    for await (const page of source.pages(kind, changes)) {
      await importPage(run, kind, page)
      read += page.length
      onProgress?.(kind.kind, read)
    }
    // Without its list, parents look as if they had no children. A source need not have all root kinds.
    if (kind.parent !== null && source.unlisted.has(kind.kind)) {
      const text = `the source has no list of ${kind.plural}`
      onFinding({ effect: 'skipped', kind: kind.kind, id: '', text })
    }
  }
  for (const { kind, id, target } of run.references) {
    if (run.accepted.has(target)) continue
    onFinding({ effect: 'kept', kind, id, text: `its reference to ${target} has no target here` })
  }
  return totals
}

async function reportLeftovers(
  source: Source,
  registry: Registry,
  onFinding: ImportOptions['onFinding'],
): Promise<void> {
  for (const [kind, total] of await source.count()) {
    if (registry.find(kind) !== null || total === 0) continue
    const text = `${total} resources: this server has no such kind, declare it in FLOTILLA_CONFIG`
    onFinding({ effect: 'skipped', kind, id: '', text })
  }
  for (const { kind, text } of await source.remarks()) {
    onFinding({ effect: 'skipped', kind, id: '', text })
  }
}

/** The kinds in an order in which every parent precedes its children. */
export function parentsFirst(registry: Registry): readonly RegisteredKind[] {
  const depthOf = ({ parent }: RegisteredKind): number =>
    parent === null ? 0 : depthOf(registry.byName(parent.kind)) + 1
  return registry.kinds.toSorted((a, b) => depthOf(a) - depthOf(b))
}
