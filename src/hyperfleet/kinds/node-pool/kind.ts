import { defineKind } from '../../../store/registry/kind.ts'

/** A node pool: a group of equal nodes of one cluster. */
export const nodePool = defineKind({
  kind: 'NodePool',
  plural: 'nodepools',
  singular: 'nodepool',
  parent: { kind: 'Cluster', onDelete: 'cascade' },
  name: { minLength: 3, maxLength: 15 },
  spec: new URL('spec.yaml', import.meta.url),
  requiredAdapters: ['validator', 'hypershift'],
  references: [],
  messages: {
    available: 'NodePool is accessible',
    ready: 'All adapters report ready at current generation',
  },
})
