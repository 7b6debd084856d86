import { defineKind } from '../../../store/registry/kind.ts'

/** A cluster: the root of what a fleet declares. */
export const cluster = defineKind({
  kind: 'Cluster',
  plural: 'clusters',
  singular: 'cluster',
  parent: null,
  name: { minLength: 3, maxLength: 53 },
  spec: new URL('spec.yaml', import.meta.url),
  requiredAdapters: ['validator', 'dns', 'pullsecret', 'hypershift'],
  references: [],
  snapshots: true,
  messages: {
    available: 'Cluster is accessible',
    ready: 'All adapters report ready at current generation',
  },
})
