import { expect, it } from 'vitest'
import { nodePool } from './kind.ts'

it('is what the HyperFleet contract says of node pools', () => {
  expect(nodePool).toMatchObject({
    kind: 'NodePool',
    plural: 'nodepools',
    parent: { kind: 'Cluster' },
    name: { minLength: 3, maxLength: 15 },
    requiredAdapters: ['validator', 'hypershift'],
    messages: {
      available: 'NodePool is accessible',
      ready: 'All adapters report ready at current generation',
    },
  })
})
