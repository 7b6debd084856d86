import { expect, test } from 'vitest'
import { type Artefact, decideOrphans, type ExpectedSnapshot } from './decide-orphans.ts'

const NOW = new Date('2026-01-01T01:00:00Z')
const RULES = { installation: 'ours', graceMs: 600_000, now: NOW }
const OLD = new Date('2026-01-01T00:00:00Z')
const RECENT = new Date('2026-01-01T00:55:00Z')

function artefact(snapshotUid: string, more: Partial<Artefact> = {}): Artefact {
  return { snapshotUid, installation: 'ours', createdAt: OLD, ...more }
}

function expected(snapshotUid: string, more: Partial<ExpectedSnapshot> = {}): ExpectedSnapshot {
  return { snapshotUid, hasArtefact: true, isLost: false, createdAt: OLD, ...more }
}

function differences(
  artefacts: readonly Artefact[],
  objects: readonly ExpectedSnapshot[] = [],
  others: readonly string[] = [],
) {
  const known = new Set([...objects.map(({ snapshotUid }) => snapshotUid), ...others])
  return decideOrphans({ artefacts, expected: objects, known }, RULES)
}

test('an artefact with an object and an object with an artefact are in order', () => {
  expect(differences([artefact('a')], [expected('a')])).toEqual({
    orphans: [],
    missing: [],
    recovered: [],
  })
})

test('finds artefacts without an object', () => {
  expect(differences([artefact('a'), artefact('b')], [expected('a')]).orphans).toEqual(['b'])
})

test.each([
  ['of another control plane', artefact('b', { installation: 'theirs' })],
  ['without a control plane', artefact('b', { installation: '' })],
  ['that are younger than the grace period', artefact('b', { createdAt: RECENT })],
])('keeps artefacts %s', (_name, kept) => {
  expect(differences([kept]).orphans).toEqual([])
})

test('keeps artefacts whose object records another store', () => {
  expect(differences([artefact('b')], [], ['b']).orphans).toEqual([])
})

test('without its own ID, the control plane removes nothing', () => {
  const store = {
    artefacts: [artefact('a', { installation: '' })],
    expected: [],
    known: new Set(''),
  }
  expect(decideOrphans(store, { ...RULES, installation: '' }).orphans).toEqual([])
})

test('finds objects without an artefact', () => {
  const objects = [
    expected('a'),
    expected('creating', { hasArtefact: false }),
    expected('recent', { createdAt: RECENT }),
  ]
  expect(differences([], objects).missing).toEqual(['a'])
})

test('finds lost objects whose artefact is back', () => {
  const lost = { hasArtefact: false, isLost: true }
  const objects = [expected('back', lost), expected('gone', lost)]
  expect(differences([artefact('back')], objects)).toEqual({
    orphans: [],
    missing: [],
    recovered: ['back'],
  })
})
