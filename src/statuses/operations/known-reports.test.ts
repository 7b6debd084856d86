import { expect, it } from 'vitest'
import type { StoredReport } from '../storage/report-basis.ts'
import { createKnownReports, type KnownReports, type SettledResource } from './known-reports.ts'

function resource(id: string, version = 1n): SettledResource {
  return { id, tenant: '', kind: 'Cluster', ownerId: '', generation: 1, version }
}

/** An adapter's row; takes a bit over a thousand bytes with its resource. */
function report(adapter: string, revision = 1, message = 'fine'): StoredReport {
  const at = '2026-01-02T03:04:05Z'
  return {
    adapter,
    observedGeneration: 1,
    available: null,
    finalized: false,
    observedTime: new Date(at),
    createdTime: new Date(at),
    lastReportTime: new Date(at),
    revision,
    conditions: [{ type: 'Available', status: 'True', message, last_transition_time: at }],
  }
}

function knownOf(known: KnownReports, id: string) {
  return known.of(id, ['a', 'b'])
}

/** Keeps so many bytes; its clock, in ms, is moved by hand. */
function knownReports(maxBytes: number) {
  const clock = { now: 0 }
  return { clock, known: createKnownReports(maxBytes, () => clock.now) }
}

it('knows the last report of each adapter at one version', () => {
  const { known } = knownReports(100_000)
  known.note(resource('1'), report('a'))
  known.note(resource('1'), report('b'))
  known.note(resource('1'), report('a', 2))
  const { resource: shown, states } = knownOf(known, '1') ?? expect.unreachable()
  expect(shown).toEqual({ ...resource('1'), conditions: null, deletedTime: null })
  expect(states).toEqual([report('b'), report('a', 2)])
  expect(knownOf(known, '2')).toBeNull()
})

it('knows the rows of those that are asked for', () => {
  const { known } = knownReports(100_000)
  known.note(resource('1'), report('a'))
  known.note(resource('1'), report('b'))
  expect(known.of('1', ['b', 'c'])?.states).toEqual([report('b')])
  expect(known.of('1', ['c'])?.states).toEqual([])
})

it('knows of a report that was repeated', () => {
  const { known } = knownReports(100_000)
  known.note(resource('1'), report('a'))
  const times = { observedTime: new Date(1000), lastReportTime: new Date(2000) }
  known.repeated('1', { adapter: 'a', revision: 7, ...times })
  known.repeated('1', { adapter: 'b', revision: 7, ...times })
  known.repeated('2', { adapter: 'a', revision: 7, ...times })
  expect(knownOf(known, '1')?.states).toEqual([{ ...report('a'), revision: 7, ...times }])
  expect(knownOf(known, '2')).toBeNull()
})

it('knows nothing of a version by what was noted at another', () => {
  const { known } = knownReports(100_000)
  known.note(resource('1'), report('a'))
  known.note(resource('1', 2n), report('b'))
  expect(knownOf(known, '1')?.resource.version).toBe(2n)
  expect(knownOf(known, '1')?.states).toEqual([report('b')])
})

it('keeps neither data nor metadata', () => {
  const { known } = knownReports(100_000)
  const whole = { ...report('a'), data: { much: 'text' }, metadata: null }
  known.note(resource('1'), whole)
  expect(knownOf(known, '1')?.states).toEqual([report('a')])
})

it('forgets', () => {
  const { known } = knownReports(1500)
  known.note(resource('1'), report('a'))
  known.forget('1')
  known.forget('1')
  known.note(resource('2'), report('a'))
  expect([knownOf(known, '1'), knownOf(known, '2') === null]).toEqual([null, false])
})

it('has room again after it was cleared', () => {
  const { known } = knownReports(1500)
  known.note(resource('1'), report('a'))
  known.clear()
  known.note(resource('2'), report('a'))
  expect([knownOf(known, '1'), knownOf(known, '2') === null]).toEqual([null, false])
})

it('takes nothing in for what is still reported on, when its memory is full', () => {
  const { known, clock } = knownReports(2500)
  known.note(resource('1'), report('a'))
  known.note(resource('2'), report('a'))
  clock.now = 100_000
  known.note(resource('1'), report('a', 2))
  clock.now = 119_999
  known.note(resource('3'), report('a'))
  expect(['1', '2', '3'].map((id) => knownOf(known, id) !== null)).toEqual([true, true, false])
  clock.now = 120_000
  known.note(resource('3'), report('a'))
  expect(['1', '2', '3'].map((id) => knownOf(known, id) !== null)).toEqual([true, false, true])
})

it('counts what an entry grows by', () => {
  const { known, clock } = knownReports(2500)
  known.note(resource('1'), report('a'))
  clock.now = 200_000
  known.note(resource('2'), report('a'))
  known.note(resource('2'), report('a', 2, 'x'.repeat(1000)))
  expect([knownOf(known, '1'), knownOf(known, '2') === null]).toEqual([null, false])
  known.note(resource('2'), report('a', 3, 'x'.repeat(3000)))
  expect(knownOf(known, '2')).toBeNull()
})
