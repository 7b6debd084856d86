import type { RegisteredKind } from '../../../core/registry/kind.ts'
import type { Registry } from '../../../core/registry/registry.ts'
import { treeKinds } from '../../../core/operations/snapshots/tree-kinds.ts'

/** The part of a snapshot with all reports. */
export const STATUSES = 'statuses'

/** What of a tree goes into a snapshot. */
export interface Selection {
  /** Plurals of kinds, and STATUSES, sorted; null for everything. */
  readonly resources: readonly string[] | null
  /** Show what has no items too. */
  readonly includeEmpty: boolean
}

/** A kind of resources in a snapshot. */
interface Part {
  /** Its name in the snapshot and in `resource=`. */
  readonly resource: string
  /** Null for the reports. */
  readonly kind: string | null
}

/** What snapshots of a kind's trees can have. */
export interface Parts {
  /** Everything that `resource=` can name, sorted. */
  readonly known: readonly string[]
  /** How many kinds of resources the server holds for a root, its reports among them. */
  readonly count: number
  /** The parts that are selected, sorted by their names. */
  readonly of: (selection: Selection) => readonly Part[]
}

/** The parts of the trees of a root kind. Other kinds can be named as well, and have no items there. */
export function partsOf(registry: Registry, root: RegisteredKind): Parts {
  const part = ({ plural, kind }: RegisteredKind): Part => ({ resource: plural, kind })
  const reports: Part = { resource: STATUSES, kind: null }
  const tree = sorted([...treeKinds(registry, root).map(part), reports])
  const all = sorted([...registry.kinds.map(part), reports])
  return {
    known: all.map(({ resource }) => resource),
    count: tree.length,
    of: ({ resources }) =>
      resources === null ? tree : all.filter(({ resource }) => resources.includes(resource)),
  }
}

function sorted(parts: readonly Part[]): readonly Part[] {
  return parts.toSorted((a, b) => (a.resource < b.resource ? -1 : 1))
}
