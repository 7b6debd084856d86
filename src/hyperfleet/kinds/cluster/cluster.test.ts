import { expect, it } from 'vitest'
import { cluster } from './kind.ts'

it('is what the HyperFleet contract says of clusters', () => {
  expect(cluster).toMatchObject({
    kind: 'Cluster',
    plural: 'clusters',
    parent: null,
    name: { minLength: 3, maxLength: 53 },
    requiredAdapters: ['validator', 'dns', 'pullsecret', 'hypershift'],
    messages: {
      available: 'Cluster is accessible',
      ready: 'All adapters report ready at current generation',
    },
  })
})
