import { describe, expect, it } from 'vitest'
import { at, replay, reports } from './fixtures.ts'
import { initialConditions } from './synthesis/initial-conditions.ts'
import { reflectTimes } from './reflect-times.ts'
import type { ReportTime } from '../../../store/model/status-record.ts'

const GENERATION = 2

function row(adapter: string, availableGeneration: number | null, seconds: number): ReportTime {
  return { adapter, availableGeneration, lastReportTime: at(seconds) }
}

describe('last_updated_time of the aggregated conditions', () => {
  it.each([
    { why: 'the oldest report', rows: [row('a', 2, 9), row('b', 2, 7)], expected: 7 },
    { why: 'no adapter without Available', rows: [row('a', 2, 9), row('b', null, 7)], expected: 9 },
    {
      why: 'no adapter ahead of the resource',
      rows: [row('a', 2, 9), row('b', 3, 7)],
      expected: 9,
    },
    { why: 'no adapter that is not required', rows: [row('a', 2, 9), row('x', 2, 7)], expected: 9 },
    {
      why: 'the time it had where nobody counts',
      rows: [row('x', 2, 9), row('b', 3, 7)],
      expected: 0,
    },
  ])('reflects $why', ({ rows, expected }) => {
    const reflected = reflectTimes(
      { conditions: initialConditions(at(0)), generation: GENERATION },
      ['a', 'b'],
      rows,
    )
    const time = at(expected).toISOString()
    const times = reflected.map((condition) => condition.last_updated_time)
    expect(times).toEqual([time, time, time, time])
  })
})

describe('last_updated_time while an adapter is behind', () => {
  const shown = (...rows: ReportTime[]) => {
    const reflected = reflectTimes(
      { conditions: initialConditions(at(0)), generation: GENERATION },
      ['a', 'b', 'c'],
      rows,
    )
    return reflected.map(({ type, last_updated_time }) => [type, last_updated_time])
  }

  it('is the oldest current report for Ready and Reconciled, and the oldest of all for the others', () => {
    const [behind, current] = [at(5).toISOString(), at(8).toISOString()]
    expect(shown(row('a', 2, 9), row('b', 1, 5), row('c', 2, 8))).toEqual([
      ['Available', behind],
      ['Ready', current],
      ['Reconciled', current],
      ['LastKnownReconciled', behind],
    ])
  })

  it('is the oldest report of all until one has the current generation', () => {
    const times = shown(row('a', 1, 9), row('b', 0, 5), row('c', 3, 1)).map(([, time]) => time)
    expect(new Set(times)).toEqual(new Set([at(5).toISOString()]))
  })

  it('ignores current reports of adapters that are not required', () => {
    const times = shown(row('a', 1, 5), row('x', 2, 9)).map(([, time]) => time)
    expect(new Set(times)).toEqual(new Set([at(5).toISOString()]))
  })
})

it("gives an adapter's condition the time of its last report, even ahead of the resource", () => {
  const { conditions } = replay(['a'], [reports('x', 'True'), reports('y', 'True')])
  const reflected = reflectTimes(
    { conditions, generation: 1 },
    ['a'],
    [row('x', 1, 8), row('y', 5, 9)],
  )
  expect(reflected.slice(4).map(({ last_updated_time }) => last_updated_time)).toEqual([
    at(8).toISOString(),
    at(9).toISOString(),
  ])
})

it('takes the time of the exposed adapter if two map to one type', () => {
  const { conditions } = replay(['aB'], [reports('a-b', 'True'), reports('aB', 'True')])
  const reflected = reflectTimes(
    { conditions, generation: 1 },
    ['aB'],
    [row('a-b', 1, 8), row('aB', 1, 9)],
  )
  expect(reflected.at(4)?.last_updated_time).toBe(at(9).toISOString())
})

it('ignores an adapter of the same type without an Available, required or not', () => {
  const { conditions } = replay(['aB'], [reports('a-b', 'True'), reports('aB', 'Unknown')])
  const reflected = reflectTimes(
    { conditions, generation: 1 },
    ['aB'],
    [row('a-b', 1, 8), row('aB', null, 9)],
  )
  expect(reflected.at(4)?.last_updated_time).toBe(at(8).toISOString())
})

it('changes only last_updated_time', () => {
  const conditions = initialConditions(at(0))
  const reflected = reflectTimes({ conditions, generation: 1 }, ['a'], [row('a', 1, 5)])
  const time = at(5).toISOString()
  expect(reflected).toEqual(conditions.map((c) => ({ ...c, last_updated_time: time })))
})
