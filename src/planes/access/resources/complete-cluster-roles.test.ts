import { expect, test } from 'vitest'
import { clusterRole, testPlane } from '../rbac/fixtures.ts'
import { completeClusterRoles } from './complete-cluster-roles.ts'

const every = { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } }
const label = { metadata: { labels: { a: 'b' } } }
const rule = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] }

test('R32: an aggregated role shows the rules that it has', async () => {
  const plain = clusterRole('plain', [rule], label)
  const aggregated = clusterRole('aggregated', [], every)
  const complete = completeClusterRoles(testPlane(plain, aggregated))
  const [first, second] = await complete([plain, aggregated])
  expect(first).toBe(plain)
  expect(second?.body['rules']).toEqual([rule])
})

test('R32: a response adds a limited number of rules', async () => {
  const resources = Array.from({ length: 60_000 }, (_, index) => `x${index}`)
  const large = clusterRole('large', [{ ...rule, resources }], label)
  const aggregated = Array.from({ length: 5 }, (_, index) => clusterRole(`a${index}`, [], every))
  const complete = completeClusterRoles(testPlane(large, ...aggregated))
  const shown = (await complete(aggregated)).map(({ body }) => Object(body['rules']).length)
  expect(shown).toEqual([1, 1, 1, 0, 0])
})
