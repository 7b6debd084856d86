import type { KindTarget } from './kind-target.ts'

interface BuiltInKind extends KindTarget {
  /** Abbreviations. */
  readonly aliases: readonly string[]
}

/** The kinds that every server has, so that commands with them need no request for the kinds. */
export const BUILT_IN_KINDS: readonly BuiltInKind[] = [
  {
    kind: 'Cluster',
    plural: 'clusters',
    singular: 'cluster',
    parentKind: null,
    aliases: ['cl'],
  },
  {
    kind: 'NodePool',
    plural: 'nodepools',
    singular: 'nodepool',
    parentKind: 'Cluster',
    aliases: ['np'],
  },
]
