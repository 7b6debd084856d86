import { expect, test } from 'vitest'
import { hasReferences } from './has-references.ts'

function documentWith(properties: object) {
  return { components: { schemas: { ClusterCreateRequest: { properties } } } }
}

test('a kind has references if its create request has', () => {
  const document = documentWith({ references: { type: 'object' } })
  expect(hasReferences(document, ['NodePool', 'Cluster'])).toBe(true)
  expect(hasReferences(document, ['NodePool'])).toBe(false)
  expect(hasReferences(documentWith({ spec: {} }), ['Cluster'])).toBe(false)
})
