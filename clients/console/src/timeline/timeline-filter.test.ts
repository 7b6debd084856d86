import { expect, test } from 'vitest'
import { auditSearch, matchesEvent, matchesFilter, readTimelineFilter } from './timeline-filter.ts'

test('combines the filters in a search of the audit log', () => {
  expect(auditSearch({})).toBe('')
  expect(auditSearch({ outcome: 'denied' })).toBe("outcome = 'denied'")
  expect(auditSearch({ who: "o'hara_", what: 'lisbon', where: 'porto' }, '2A')).toBe(
    String.raw`(user like 'o''hara\_%' or impersonated_user like 'o''hara\_%')` +
      " and (name like 'lisbon%' or resource_id = 'lisbon' or resource = 'lisbon' or verb = 'lisbon')" +
      " and (plane = 'porto' or namespace = 'porto' or source_address = 'porto' or plane = '2A')",
  )
})

test.each([
  '2a33eis5auewa84rqjbqgog9yl1',
  '2hMf3nF0QmPZ1c9sXJtYkVb7aRe',
  '2k7tq6r1o9v0c4h8mleu3gfsjbapdin5',
  '0192f0c1-7a3e-7b7e-9d43-5a1f3c2b6e80',
])('searches an ID by the index of the log alone: %s', (id) => {
  expect(auditSearch({ what: id })).toBe(`resource_id = '${id}'`)
})

test('reads the address, and ignores what it does not know', () => {
  expect(readTimelineFilter({ who: ' ada ', what: 7, where: '', outcome: 'fine' })).toEqual({
    who: 'ada',
    what: '7',
  })
})

const ENTRY = {
  key: 'a',
  log: 'event',
  time: '2026-01-01T00:00:00Z',
  icon: 'dot',
  who: 'ada@example.com',
  action: '',
  subject: null,
  note: '',
  details: [],
  names: ['lisbon', '2A', 'Cluster'],
  places: ['2B'],
  outcome: null,
} as const

test('filters the entries of other logs by the same rules', () => {
  const matches = (filter: Parameters<typeof matchesFilter>[1]) => matchesFilter(ENTRY, filter)
  expect(matches({ who: 'ada', what: 'lis', where: '2B' })).toBe(true)
  expect(matches({ what: 'Cluster' })).toBe(true)
  expect(matches({ what: 'Clus' })).toBe(false)
  expect(matches({ where: '2' })).toBe(false)
  expect(matches({ outcome: 'succeeded' })).toBe(false)
})

test('finds events by the name of a cluster in its plane, and by the plural of a kind', () => {
  const filter = { what: 'clusters', where: 'porto' }
  expect(matchesEvent(ENTRY, filter, { plane: '2B', kind: 'Cluster' })).toBe(true)
  expect(matchesEvent(ENTRY, filter, { plane: null, kind: 'Cluster' })).toBe(false)
  expect(matchesEvent(ENTRY, filter, { plane: '2B', kind: null })).toBe(false)
  expect(matchesEvent(ENTRY, { ...filter, who: 'eve' }, { plane: '2B', kind: 'Cluster' })).toBe(
    false,
  )
})
