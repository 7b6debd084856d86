import { describe, expect, it } from 'vitest'
import { AGGREGATED_TYPES } from '../../../store/model/condition.ts'
import { at, KIND, replay, reports } from './fixtures.ts'
import { requirementsOfResource } from './required-adapters.ts'
import { initialConditions } from './synthesis/initial-conditions.ts'
import { synthesize } from './synthesis/synthesize.ts'

const kind = { requiredAdapters: ['dns', 'validator'] }

it.each([
  { declared: null, deleted: false, reporting: ['x'], adapters: ['dns', 'validator'] },
  { declared: null, deleted: true, reporting: ['x'], adapters: ['dns', 'validator'] },
  { declared: [], deleted: false, reporting: ['dns'], adapters: [] },
  { declared: [], deleted: true, reporting: [], adapters: [] },
  { declared: [], deleted: true, reporting: ['dns', 'x'], adapters: ['dns', 'x'] },
  { declared: ['x'], deleted: false, reporting: ['dns'], adapters: ['x'] },
  { declared: ['x'], deleted: true, reporting: ['dns', 'x'], adapters: ['x', 'dns'] },
])(
  'declared $declared, deleted $deleted, reports of $reporting: requires $adapters',
  ({ declared, deleted, reporting, adapters }) => {
    const resource = { requiredAdapters: declared, deletedTime: deleted ? at(1) : null }
    const found = reporting.map((adapter) => ({ adapter }))
    expect(requirementsOfResource(kind, resource, found)).toEqual({
      adapters,
      isDeclared: declared !== null,
    })
  },
)

describe('a resource that declares that it requires no adapters', () => {
  const created = initialConditions(at(0), [])
  const input = {
    kind: KIND,
    required: [],
    isDeclared: true,
    deleting: false,
    cause: 'spec-change',
  }

  it('is satisfied at its creation', () => {
    expect(created.map(({ type }) => type)).toEqual([...AGGREGATED_TYPES])
    for (const condition of created) {
      expect(condition).toMatchObject({
        status: 'True',
        reason: 'NoAdaptersRequired',
        observed_generation: 1,
        last_transition_time: at(0).toISOString(),
        created_time: at(0).toISOString(),
      })
    }
  })

  it('is satisfied at each generation, and keeps the time of its transition', () => {
    const next = synthesize({
      ...input,
      cause: 'spec-change',
      generation: 2,
      previous: created,
      reports: [],
      now: at(5),
    })
    for (const condition of next) {
      expect(condition).toMatchObject({
        status: 'True',
        observed_generation: 2,
        last_transition_time: at(0).toISOString(),
        last_updated_time: at(5).toISOString(),
      })
    }
  })

  it('ignores reports, which appear as conditions of their adapters', () => {
    const { rows } = replay([], [reports('dns', 'False')])
    const next = synthesize({
      ...input,
      cause: 'report',
      generation: 1,
      previous: created,
      reports: [...rows.values()],
      now: at(5),
    })
    expect(next.slice(0, created.length)).toEqual(created)
    expect(next.at(-1)).toMatchObject({ type: 'DnsSuccessful', status: 'False' })
  })
})
