import { describe, expect, it } from 'vitest'
import { must } from '../../../lib/assert.ts'
import type { StatusRecord } from '../../../store/model/status-record.ts'
import type { Report } from '../model/report.ts'
import {
  at,
  observedAt,
  replay,
  reportOf,
  reports,
  type ReportStep,
} from '../conditions/fixtures.ts'
import { validateReport } from './validate-report.ts'

/** Validates a report of `a` after ten seconds, on the record that the earlier steps leave. */
function validate(earlier: readonly ReportStep[], report: ReportStep | Report, generation = 1) {
  return validateReport({
    report: 'op' in report ? reportOf(report, 10) : report,
    profile: 'lenient',
    stored: replay([], earlier).rows.get('a') ?? null,
    generation,
    deleting: false,
    now: at(10),
  })
}

function stored(validation: ReturnType<typeof validate>): StatusRecord {
  return must('store' in validation ? validation.store : null, 'a stored report')
}

describe('discards', () => {
  it.each([
    {
      of: 'a generation below the stored one',
      earlier: [reports('a', 'True', 2)],
      report: reports('a', 'True', 1),
      generation: 2,
      reason: 'stale-generation',
    },
    {
      of: 'one below, stored by a report without Available',
      earlier: [reports('a', null, 2)],
      report: reports('a', 'True', 1),
      generation: 2,
      reason: 'stale-generation',
    },
    {
      of: 'one below that is still above the resource',
      earlier: [reports('a', 'True', 5)],
      report: reports('a', 'True', 4),
      generation: 1,
      reason: 'stale-generation',
    },
    {
      of: 'a stale Unknown',
      earlier: [reports('a', 'True', 2)],
      report: reports('a', 'Unknown', 1),
      generation: 2,
      reason: 'stale-generation',
    },
    {
      of: 'Unknown after True',
      earlier: [reports('a', 'True')],
      report: reports('a', 'Unknown'),
      generation: 1,
      reason: 'unknown-after-report',
    },
    {
      of: 'Unknown after Unknown',
      earlier: [reports('a', 'Unknown')],
      report: reports('a', 'Unknown'),
      generation: 1,
      reason: 'unknown-after-report',
    },
    {
      of: 'Unknown after a report without Available',
      earlier: [reports('a', null)],
      report: reports('a', 'Unknown', 2),
      generation: 2,
      reason: 'unknown-after-report',
    },
    {
      of: 'Unknown that comes back from ahead',
      earlier: [reports('a', 'True', 5)],
      report: reports('a', 'Unknown', 1),
      generation: 1,
      reason: 'unknown-after-report',
    },
  ])('$of as $reason', ({ earlier, report, generation, reason }) => {
    expect(validate(earlier, report, generation)).toEqual({ discard: reason })
  })
})

describe('stores', () => {
  it.each([
    {
      what: 'a first True',
      earlier: [],
      report: reports('a', 'True'),
      generation: 1,
      recompute: true,
      available: ['True', 1],
    },
    {
      what: 'a first False',
      earlier: [],
      report: reports('a', 'False'),
      generation: 1,
      recompute: true,
      available: ['False', 1],
    },
    {
      what: 'a first Unknown, which does not count',
      earlier: [],
      report: reports('a', 'Unknown'),
      generation: 1,
      recompute: false,
      available: null,
    },
    {
      what: 'a first report without Available',
      earlier: [],
      report: reports('a', null),
      generation: 1,
      recompute: false,
      available: null,
    },
    {
      what: 'True after Unknown',
      earlier: [reports('a', 'Unknown')],
      report: reports('a', 'True'),
      generation: 1,
      recompute: true,
      available: ['True', 1],
    },
    {
      what: 'a report without Available and keeps the last one',
      earlier: [reports('a', 'False')],
      report: reports('a', null, 2),
      generation: 2,
      recompute: false,
      available: ['False', 1],
    },
    {
      what: 'a heartbeat',
      earlier: [reports('a', 'True')],
      report: reports('a', 'True'),
      generation: 1,
      recompute: true,
      available: ['True', 1],
    },
    {
      what: 'a generation ahead of the resource',
      earlier: [],
      report: reports('a', 'True', 5),
      generation: 1,
      recompute: true,
      available: ['True', 5],
    },
    {
      what: "the resource's generation after one ahead",
      earlier: [reports('a', 'True', 5)],
      report: reports('a', 'False', 2),
      generation: 2,
      recompute: true,
      available: ['False', 2],
    },
    {
      what: 'one below the resource after one ahead',
      earlier: [reports('a', 'True', 5)],
      report: reports('a', 'False', 1),
      generation: 2,
      recompute: true,
      available: ['False', 1],
    },
    {
      what: 'a report without Available after one ahead, which stays',
      earlier: [reports('a', 'True', 5)],
      report: reports('a', null, 1),
      generation: 1,
      recompute: false,
      available: ['True', 5],
    },
  ])('$what', ({ earlier, report, generation, recompute, available }) => {
    const validation = validate(earlier, report, generation)
    expect(validation).toMatchObject({ recompute })
    const row = stored(validation)
    expect(row.observedGeneration).toBe(report.observed_generation)
    const { status, observed_generation } = row.available ?? {}
    expect(row.available && [status, observed_generation]).toEqual(available)
  })

  it('the report unchanged, and its Available with reason and message', () => {
    const report: Report = {
      ...reportOf(reports('a', 'True'), 10),
      conditions: [
        { type: 'Health', status: 'Unknown', message: 'probing' },
        { type: 'Available', status: 'False', reason: 'NoQuota', message: 'Quota is used up' },
      ],
      data: { region: 'eu' },
      metadata: { job_name: 'j' },
    }
    const time = report.observedTime
    expect(stored(validate([], report))).toEqual({
      adapter: 'a',
      observedGeneration: 1,
      available: {
        status: 'False',
        reason: 'NoQuota',
        message: 'Quota is used up',
        observed_generation: 1,
        last_transition_time: time,
      },
      conditions: report.conditions.map((c) => ({ ...c, last_transition_time: time })),
      data: { region: 'eu' },
      metadata: { job_name: 'j' },
      finalized: false,
      observedTime: new Date(time),
      createdTime: new Date(time),
      lastReportTime: new Date(time),
    })
  })
})

describe('the transition time of a reported condition', () => {
  it.each([
    { when: 'is observed_time at first', earlier: [], report: reports('a', 'True'), expected: 10 },
    {
      when: 'stays while the status stays',
      earlier: [reports('a', 'True')],
      report: reports('a', 'True', 2),
      expected: 1,
    },
    {
      when: 'is observed_time where the status flips',
      earlier: [reports('a', 'True')],
      report: reports('a', 'False'),
      expected: 10,
    },
    {
      when: 'is observed_time where Unknown becomes True',
      earlier: [reports('a', 'Unknown')],
      report: reports('a', 'True'),
      expected: 10,
    },
    {
      when: 'of Available outlives a report without it',
      earlier: [reports('a', 'True'), reports('a', null)],
      report: reports('a', 'True'),
      expected: 1,
    },
    {
      when: 'of another condition stays too',
      earlier: [reports('a', null)],
      report: reports('a', null),
      expected: 1,
    },
    {
      when: 'of another condition starts anew after a report without it',
      earlier: [reports('a', null), reports('a', 'True')],
      report: reports('a', null),
      expected: 10,
    },
  ])('$when', ({ earlier, report, expected }) => {
    const row = stored(validate(earlier, report))
    const time = observedAt(expected)
    expect(row.conditions.map((c) => c.last_transition_time)).toEqual([time])
    if (report.available !== null) expect(row.available?.last_transition_time).toBe(time)
  })

  it('keeps the microseconds of observed_time', () => {
    const observedTime = '2026-01-01T00:00:05.123456Z'
    const row = stored(validate([], { ...reportOf(reports('a', 'True'), 10), observedTime }))
    expect(row.available?.last_transition_time).toBe(observedTime)
  })
})

describe('the times of a record', () => {
  it('are observed_time on the first report', () => {
    const row = stored(validate([], reports('a', 'True')))
    const time = new Date(observedAt(10))
    expect(row).toMatchObject({ createdTime: time, lastReportTime: time })
  })

  it("are the server's if observed_time is in the future", () => {
    const report = { ...reportOf(reports('a', 'True'), 10), observedTime: observedAt(99) }
    expect(stored(validate([], report))).toMatchObject({
      createdTime: at(10),
      lastReportTime: at(10),
    })
  })

  it("keep created_time and take the server's time on later reports", () => {
    const row = stored(validate([reports('a', 'Unknown')], reports('a', null)))
    expect(row).toMatchObject({ createdTime: new Date(observedAt(1)), lastReportTime: at(10) })
  })
})
