import { expect, test } from 'vitest'
import { type OwnerNode, ownerTree } from './owner-tree.ts'

const kind = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  isNamespaced: true,
  verbs: ['list'],
  shortNames: [],
}

function object(name: string, ...owners: readonly string[]) {
  const ownerReferences = owners.map((uid) => ({ kind: 'ConfigMap', name: uid, uid }))
  return { kind, object: { metadata: { name, uid: name, ownerReferences } } }
}

const text = (nodes: readonly OwnerNode[]): string =>
  nodes.map(({ object: { metadata }, owned }) => `${metadata.name}(${text(owned)})`).join(' ')

test('places objects below their owners', () => {
  const tree = ownerTree([object('c', 'b'), object('a'), object('b', 'a'), object('d', 'missing')])
  expect(text(tree)).toBe('a(b(c())) d()')
})

test('shows every object once, also of two owners or in a cycle', () => {
  const tree = ownerTree([
    object('a', 'b'),
    object('b', 'a'),
    object('c', 'a', 'b'),
    object('d', 'd'),
  ])
  expect(text(tree)).toBe('d() a(b() c())')
})
