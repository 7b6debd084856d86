import { expect, test } from 'vitest'
import { mergeTimeline } from './merge-timeline.ts'
import type { TimelineEntry } from './timeline-entry.ts'

function entry(key: string, second: number): TimelineEntry {
  return {
    key,
    log: 'change',
    time: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
    icon: 'edit',
    who: 'ada',
    action: 'changed',
    subject: null,
    note: '',
    details: [],
    names: [],
    places: [],
    outcome: null,
  }
}

const keys = (entries: readonly TimelineEntry[]) => entries.map(({ key }) => key)

test('merges logs by time, newest first', () => {
  const { entries, next } = mergeTimeline([
    { entries: [entry('a', 30), entry('b', 10)], hasMore: false },
    { entries: [entry('c', 20)], hasMore: false },
  ])
  expect(keys(entries)).toEqual(['a', 'c', 'b'])
  expect(next).toEqual([])
})

test('holds back entries that are older than the loaded part of another log', () => {
  const { entries, next } = mergeTimeline([
    { entries: [entry('a', 30), entry('b', 20)], hasMore: true },
    { entries: [entry('c', 25), entry('d', 10)], hasMore: true },
    { entries: [entry('e', 5)], hasMore: false },
  ])
  expect(keys(entries)).toEqual(['a', 'c', 'b'])
  expect(next).toEqual([0])
})

test('shows entries whose times differ in precision in their order', () => {
  const at = (key: string, time: string) => ({ ...entry(key, 0), time })
  const log = [at('a', '2026-01-01T00:00:01.5Z'), at('b', '2026-01-01T00:00:01.250000Z')]
  const { entries } = mergeTimeline([
    { entries: log, hasMore: false },
    { entries: [at('c', '2026-01-01T00:00:01Z')], hasMore: false },
  ])
  expect(keys(entries)).toEqual(['a', 'b', 'c'])
})
