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

interface Loaded {
  readonly hasMore?: boolean
  readonly error?: Error
}

function log(entries: readonly TimelineEntry[], { hasMore = false, error }: Loaded = {}) {
  return { entries, hasMore, error: error ?? null }
}

const keys = (entries: readonly TimelineEntry[]) => entries.map(({ key }) => key)

test('merges logs by time, newest first', () => {
  const { entries, next } = mergeTimeline([
    log([entry('a', 30), entry('b', 10)]),
    log([entry('c', 20)]),
  ])
  expect(keys(entries)).toEqual(['a', 'c', 'b'])
  expect(next).toEqual([])
})

test('holds back entries that are older than the loaded part of another log', () => {
  const { entries, next } = mergeTimeline([
    log([entry('a', 30), entry('b', 20)], { hasMore: true }),
    log([entry('c', 25), entry('d', 10)], { hasMore: true }),
    log([entry('e', 5)]),
  ])
  expect(keys(entries)).toEqual(['a', 'c', 'b'])
  expect(next).toEqual([0])
})

test('holds back no entries for a log that failed, or of which none are loaded', () => {
  const { entries, next } = mergeTimeline([
    log([entry('a', 30), entry('b', 10)]),
    log([entry('c', 20)], { hasMore: true, error: new Error('no answer') }),
    log([], { hasMore: true }),
  ])
  expect(keys(entries)).toEqual(['a', 'c', 'b'])
  expect(next).toEqual([2])
})

test('shows entries whose times differ in precision in their order', () => {
  const at = (key: string, time: string) => ({ ...entry(key, 0), time })
  const precise = [at('a', '2026-01-01T00:00:01.5Z'), at('b', '2026-01-01T00:00:01.250000Z')]
  const { entries } = mergeTimeline([log(precise), log([at('c', '2026-01-01T00:00:01Z')])])
  expect(keys(entries)).toEqual(['a', 'b', 'c'])
})
