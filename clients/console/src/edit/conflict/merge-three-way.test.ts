import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { applyToText } from './apply-to-text.ts'
import { mergeThreeWay } from './merge-three-way.ts'

const BASE = { labels: { tier: 'gold' }, spec: { version: '1', zones: ['a'], net: { mtu: 9000 } } }

test('adds changes of others to fields that the edit did not touch', () => {
  const mine = { ...BASE, spec: { ...BASE.spec, version: '2' } }
  const theirs = { ...BASE, labels: { tier: 'gold', team: 'x' }, spec: { ...BASE.spec, zones: [] } }
  expect(mergeThreeWay(BASE, mine, theirs)).toEqual({
    additions: [
      { path: ['labels', 'team'], before: undefined, after: 'x' },
      { path: ['spec', 'zones'], before: ['a'], after: [] },
    ],
    conflicts: [],
  })
})

test('reports a field that both sides changed differently', () => {
  const mine = { ...BASE, spec: { ...BASE.spec, version: '2' } }
  const theirs = { ...BASE, spec: { ...BASE.spec, version: '3' } }
  expect(mergeThreeWay(BASE, mine, theirs).conflicts).toEqual([
    { path: ['spec', 'version'], base: '1', mine: '2', theirs: '3' },
  ])
})

test('reports a removed object whose fields the other side changed', () => {
  const { net: _, ...rest } = BASE.spec
  const theirs = { ...BASE, spec: { ...BASE.spec, net: { mtu: 1500 } } }
  const { conflicts, additions } = mergeThreeWay(BASE, { ...BASE, spec: rest }, theirs)
  expect(additions).toEqual([])
  expect(conflicts).toEqual([
    { path: ['spec', 'net'], base: { mtu: 9000 }, mine: undefined, theirs: { mtu: 1500 } },
  ])
})

test('accepts the same change on both sides', () => {
  const same = { ...BASE, spec: { ...BASE.spec, version: '2' } }
  expect(mergeThreeWay(BASE, same, structuredClone(same))).toEqual({ additions: [], conflicts: [] })
})

test('applies changes to a text and keeps its comments', () => {
  const text = '# why\nspec:\n  version: "2" # pinned\n  zones: [a]\nlabels:\n'
  const merged = applyToText(text, [
    { path: ['labels', 'a.b/c'], after: 'x' },
    { path: ['spec', 'zones'], after: undefined },
    { path: ['spec', 'net', 'mtu'], after: 1500 },
  ])
  expect(merged).toContain('# why')
  expect(merged).toContain('"2" # pinned')
  expect(parse(merged)).toEqual({
    spec: { version: '2', net: { mtu: 1500 } },
    labels: { 'a.b/c': 'x' },
  })
})

test('continues below the key of an object that was empty', () => {
  const changes = [{ path: ['spec', 'size'], after: 1 }]
  expect(applyToText('name: a\nspec: {}\n', changes)).toBe('name: a\nspec:\n  size: 1\n')
  expect(applyToText('', changes)).toBe('spec:\n  size: 1\n')
})
