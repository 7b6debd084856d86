import { expect, it } from 'vitest'
import { pluralLabel } from './nav-items.ts'

it.each([
  ['Cluster', 'clusters', 'Clusters'],
  ['NodePool', 'nodepools', 'Node pools'],
  ['DNSPolicy', 'dnspolicies', 'Dnspolicies'],
])('labels %s as its plural', (kind, plural, label) => {
  expect(pluralLabel(kind, plural)).toBe(label)
})
