import type { RegisteredKind } from '../../registry/kind.ts'
import type { Registry } from '../../registry/registry.ts'

/** The kinds of a root's subtree: the root's kind and its descendants. */
export function treeKinds({ kinds }: Registry, root: RegisteredKind): readonly RegisteredKind[] {
  const below = (parent: RegisteredKind): readonly RegisteredKind[] => [
    parent,
    ...kinds.filter((kind) => kind.parent?.kind === parent.kind).flatMap(below),
  ]
  return below(root)
}
