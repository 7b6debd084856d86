import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { Registry } from '../../store/registry/registry.ts'

/** The name of the part with all reports. */
export const STATUSES = 'statuses'

/** The requested content of a snapshot. */
export interface Selection {
  /** Sorted names of parts; null for all parts. */
  readonly resources: readonly string[] | null
  /** Whether to include parts without items. */
  readonly includeEmpty: boolean
}

/** A list in a snapshot: the resources of one kind, or the reports. */
interface Part {
  /** Name in the snapshot and in `resource=`. */
  readonly resource: string
  /** Null for the reports. */
  readonly kind: string | null
}

/** The parts of snapshots of one root kind. */
export interface Parts {
  /** The names that `resource=` accepts, sorted. */
  readonly known: readonly string[]
  /** The number of parts of the root's subtree, including the reports. */
  readonly count: number
  /** The kinds of the root's subtree. */
  readonly kinds: readonly RegisteredKind[]
  /** The selected parts, sorted by name. */
  readonly of: (selection: Selection) => readonly Part[]
}

/** The parts of a root kind's subtrees. Requests can name other kinds too; those have no items. */
export function partsOf(registry: Registry, root: RegisteredKind): Parts {
  const part = ({ plural, kind }: RegisteredKind): Part => ({ resource: plural, kind })
  const reports: Part = { resource: STATUSES, kind: null }
  const kinds = treeKinds(registry, root)
  const tree = sorted([...kinds.map(part), reports])
  const all = sorted([...registry.kinds.map(part), reports])
  return {
    known: all.map(({ resource }) => resource),
    count: tree.length,
    kinds,
    of: ({ resources }) =>
      resources === null ? tree : all.filter(({ resource }) => resources.includes(resource)),
  }
}

function sorted(parts: readonly Part[]): readonly Part[] {
  return parts.toSorted((a, b) => (a.resource < b.resource ? -1 : 1))
}

/** The kinds of a root's subtree: the root's kind and its descendants. */
function treeKinds({ kinds }: Registry, root: RegisteredKind): readonly RegisteredKind[] {
  const below = (parent: RegisteredKind): readonly RegisteredKind[] => [
    parent,
    ...kinds.filter((kind) => kind.parent?.kind === parent.kind).flatMap(below),
  ]
  return below(root)
}
