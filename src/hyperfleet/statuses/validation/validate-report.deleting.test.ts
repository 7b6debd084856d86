import { describe, expect, it } from 'vitest'
import { must } from '../../../lib/assert.ts'
import {
  at,
  finalizes,
  observedAt,
  replay,
  reportOf,
  reports,
  type ReportStep,
} from '../conditions/fixtures.ts'
import { validateReport } from './validate-report.ts'

/** Validates a report of `a` at generation 2, after ten seconds, on a resource being deleted. */
function validate(earlier: readonly ReportStep[], step: ReportStep, deleting = true) {
  return validateReport({
    report: reportOf(step, 10),
    profile: 'lenient',
    stored: replay([], earlier).rows.get('a') ?? null,
    generation: 2,
    deleting,
    now: at(10),
  })
}

function rowAfter(earlier: readonly ReportStep[], step: ReportStep) {
  const validation = validate(earlier, step)
  return must('store' in validation ? validation.store : null, 'a stored report')
}

const FINALIZED = { type: 'Finalized', status: 'True', last_transition_time: observedAt(10) }

describe('an Unknown with Finalized during a deletion', () => {
  it.each([
    { after: 'True', earlier: [reports('a', 'True')], status: 'True' },
    { after: 'False', earlier: [reports('a', 'False')], status: 'False' },
    {
      after: 'a True that a report without Available follows',
      earlier: [reports('a', 'True'), reports('a', null)],
      status: 'True',
    },
  ])('is stored and leaves the Available as it was after $after', ({ earlier, status }) => {
    const before = must(replay([], earlier).rows.get('a'), 'the row before')
    const row = rowAfter(earlier, finalizes('a', 'Unknown', 2))
    expect(row.available).toEqual(before.available)
    expect(row.conditions).toEqual([
      { type: 'Available', status, last_transition_time: observedAt(1) },
      FINALIZED,
    ])
    expect(row).toMatchObject({ observedGeneration: 2, finalized: true, lastReportTime: at(10) })
  })

  it('keeps the Unknown of an adapter that has reported nothing else', () => {
    const row = rowAfter([reports('a', 'Unknown')], finalizes('a', 'Unknown', 2))
    expect(row.available).toBeNull()
    expect(row.conditions).toEqual([
      { type: 'Available', status: 'Unknown', last_transition_time: observedAt(1) },
      FINALIZED,
    ])
  })

  it('is stored unchanged as the first report', () => {
    const row = rowAfter([], finalizes('a', 'Unknown', 2))
    expect(row.available).toBeNull()
    expect(row.conditions).toEqual([
      { type: 'Available', status: 'Unknown', last_transition_time: observedAt(10) },
      FINALIZED,
    ])
  })

  it('keeps the reason and message of the Available', () => {
    const words = { reason: 'Works', message: 'It works' }
    const stored = must(replay([], [reports('a', 'True')]).rows.get('a'), 'the row')
    const validation = validateReport({
      report: reportOf(finalizes('a', 'Unknown', 2), 10),
      profile: 'lenient',
      stored: { ...stored, available: { ...must(stored.available, 'Available'), ...words } },
      generation: 2,
      deleting: true,
      now: at(10),
    })
    const row = must('store' in validation ? validation.store : null, 'a stored report')
    expect(row.conditions[0]).toMatchObject(words)
  })

  it('is discarded if the resource is not being deleted', () => {
    const dropped = { discard: 'unknown-after-report' }
    expect(validate([reports('a', 'True')], finalizes('a', 'Unknown', 2), false)).toEqual(dropped)
  })

  it('is discarded if it is outdated', () => {
    const earlier = [reports('a', 'True', 2)]
    expect(validate(earlier, finalizes('a', 'Unknown'))).toEqual({ discard: 'stale-generation' })
  })
})

describe('during a deletion', () => {
  it('discards an Unknown without Finalized', () => {
    const dropped = { discard: 'unknown-after-report' }
    expect(validate([reports('a', 'True')], reports('a', 'Unknown', 2))).toEqual(dropped)
  })

  it.each([finalizes('a', null, 2), reports('a', null, 2), finalizes('a', 'Unknown', 2)])(
    'recomputes after any stored report: %o',
    (step) => {
      expect(validate([reports('a', 'True')], step)).toMatchObject({ recompute: true })
    },
  )

  it('stores an Available that comes with Finalized', () => {
    const row = rowAfter([reports('a', 'True')], finalizes('a', 'False', 2))
    expect(row).toMatchObject({
      finalized: true,
      available: { status: 'False', observed_generation: 2 },
    })
  })
})

it('records Finalized only if it is True and the resource is being deleted', () => {
  expect(validate([], finalizes('a', 'True', 2), true)).toMatchObject({
    store: { finalized: true },
  })
  expect(validate([], finalizes('a', 'True', 2), false)).toMatchObject({
    store: { finalized: false },
  })
  const report = {
    ...reportOf(reports('a', 'True', 2), 10),
    conditions: [{ type: 'Finalized', status: 'False' as const }],
  }
  const input = { profile: 'lenient' as const, stored: null, generation: 2, deleting: true }
  const validation = validateReport({ report, ...input, now: at(10) })
  expect(validation).toMatchObject({ store: { finalized: false } })
})
