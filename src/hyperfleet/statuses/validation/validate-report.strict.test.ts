import { describe, expect, it } from 'vitest'
import { must } from '../../../lib/assert.ts'
import { FlotillaError } from '../../../lib/errors.ts'
import type { ConditionStatus } from '../../../store/model/condition.ts'
import type { StatusRecord } from '../../../store/model/status-record.ts'
import type { Report } from '../model/report.ts'
import { at } from '../conditions/fixtures.ts'
import { validateReport } from './validate-report.ts'
import type { Profile } from './validation-input.ts'

const NOW = at(10_000)
const GENERATION = 2
const MINUTE = 60_000

interface ReportInput {
  readonly available?: ConditionStatus
  readonly types?: readonly string[]
  readonly generation?: number
  /** How far the adapter's clock is ahead, in milliseconds. */
  readonly ahead?: number
}

function report({
  available = 'True',
  types,
  generation = GENERATION,
  ahead = 0,
}: ReportInput): Report {
  return {
    adapter: 'a',
    observedGeneration: generation,
    observedTime: new Date(NOW.getTime() + ahead).toISOString(),
    conditions: (types ?? ['Available', 'Applied', 'Health']).map((type) => {
      return { type, status: type === 'Available' ? available : 'True' }
    }),
    data: {},
    metadata: null,
  }
}

function row(earlier: ReportInput): StatusRecord {
  const validated = validateReport({ ...caseOf(earlier, null), profile: 'lenient' })
  return must('store' in validated ? validated.store : null, 'the earlier report')
}

function caseOf(sent: ReportInput, stored: StatusRecord | null) {
  return { report: report(sent), stored, generation: GENERATION, deleting: false, now: NOW }
}

function validate(
  sent: ReportInput,
  earlier: ReportInput | null = null,
  profile: Profile = 'strict',
) {
  const stored = earlier && row(earlier)
  return validateReport({ ...caseOf(sent, stored), profile })
}

function violationsOf(sent: ReportInput, earlier: ReportInput | null = null) {
  try {
    validate(sent, earlier)
  } catch (error) {
    if (error instanceof FlotillaError && error.reason === 'invalid') return error.causes
    throw error
  }
  return []
}

describe('the strict profile discards', () => {
  it.each<{ what: string; sent: ReportInput; earlier: ReportInput | null; reason: string }>([
    {
      what: 'a generation above the resource',
      sent: { generation: 3 },
      earlier: null,
      reason: 'future-generation',
    },
    {
      what: 'one above the resource and below the stored one',
      sent: { generation: 3 },
      earlier: { generation: 4 },
      reason: 'future-generation',
    },
    {
      what: 'a generation below the stored one',
      sent: { generation: 1 },
      earlier: {},
      reason: 'stale-generation',
    },
    {
      what: 'an older time at the same generation',
      sent: { ahead: -1 },
      earlier: {},
      reason: 'stale-observed-time',
    },
    {
      what: 'a later Unknown',
      sent: { available: 'Unknown' },
      earlier: {},
      reason: 'unknown-after-report',
    },
    {
      what: 'what is out of date before it looks at the conditions',
      sent: { generation: 3, types: [], ahead: 99 * MINUTE },
      earlier: null,
      reason: 'future-generation',
    },
    {
      what: 'an older time before it looks at the window',
      sent: { ahead: -31 * MINUTE },
      earlier: {},
      reason: 'stale-observed-time',
    },
    {
      what: 'an older time before it looks at Unknown',
      sent: { ahead: -1, available: 'Unknown' },
      earlier: {},
      reason: 'stale-observed-time',
    },
  ])('$what as $reason', ({ sent, earlier, reason }) => {
    expect(validate(sent, earlier)).toEqual({ discard: reason })
  })

  it.each<{ what: string; sent: ReportInput; earlier: ReportInput | null }>([
    { what: 'a first Unknown', sent: { available: 'Unknown' }, earlier: null },
    { what: 'the same time again', sent: {}, earlier: {} },
    {
      what: 'an older time at a newer generation',
      sent: { ahead: -MINUTE },
      earlier: { generation: 1 },
    },
    {
      what: 'an older time at a generation that it has come back to',
      sent: { ahead: -MINUTE },
      earlier: { generation: 5 },
    },
    { what: 'a generation below that of the resource', sent: { generation: 1 }, earlier: null },
  ])('nothing of $what', ({ sent, earlier }) => {
    expect(validate(sent, earlier)).toHaveProperty('store')
  })

  it.each<{ what: string; sent: ReportInput; earlier: ReportInput | null }>([
    { what: 'a generation ahead', sent: { generation: 3 }, earlier: null },
    { what: 'an older time', sent: { ahead: -1 }, earlier: {} },
    { what: 'a time out of the window', sent: { ahead: 99 * MINUTE }, earlier: null },
    { what: 'missing conditions', sent: { types: [] }, earlier: null },
  ])('$what, which the lenient one takes', ({ sent, earlier }) => {
    expect(validate(sent, earlier, 'lenient')).toHaveProperty('store')
  })
})

describe('the strict profile rejects', () => {
  it.each([
    { ahead: 5 * MINUTE, fields: [] },
    { ahead: 5 * MINUTE + 1, fields: ['observed_time'] },
    { ahead: -30 * MINUTE, fields: [] },
    { ahead: -30 * MINUTE - 1, fields: ['observed_time'] },
  ])('a time $ahead ms ahead: $fields', ({ ahead, fields }) => {
    expect(violationsOf({ ahead }).map(({ field }) => field)).toEqual(fields)
  })

  it.each([
    { types: ['Applied', 'Health'], missing: ['Available'] },
    { types: ['Available', 'Health', 'Other'], missing: ['Applied'] },
    { types: ['available', 'Applied'], missing: ['Available', 'Health'] },
    { types: [], missing: ['Available', 'Applied', 'Health'] },
  ])('conditions of the types $types', ({ types, missing }) => {
    expect(violationsOf({ types })).toEqual(
      missing.map((type) => ({
        field: 'conditions',
        message: `conditions must have one of type ${type}`,
        constraint: 'contains',
      })),
    )
  })

  it('with all violations together, and with both clocks', () => {
    const observed = report({ ahead: -31 * MINUTE }).observedTime
    expect(violationsOf({ types: ['Available', 'Applied'], ahead: -31 * MINUTE })).toEqual([
      {
        field: 'observed_time',
        message: `observed_time must be at most 30 minutes behind the server's clock, which is at ${NOW.toISOString()}`,
        constraint: 'window',
        value: observed,
      },
      expect.objectContaining({ field: 'conditions' }),
    ])
  })

  it('before it discards a later Unknown', () => {
    expect(violationsOf({ available: 'Unknown', types: ['Available'] }, {})).toHaveLength(2)
  })
})
