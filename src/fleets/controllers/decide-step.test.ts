import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../lib/json/json.ts'
import { decideStep, isSameStep } from './decide-step.ts'
import { comparisonFixture, fleetFixture } from './fixtures.ts'

const SURPLUS = [{ id: 'a', name: 'rl-0003' }]

test('decides nothing if the members match the spec', () => {
  expect(decideStep(fleetFixture(), comparisonFixture())).toBeNull()
})

test('creates missing members and removes surplus ones by the scale-down policy', () => {
  const fleet = fleetFixture({ spec: { scaleDownPolicy: 'Delete' } })
  const step = decideStep(fleet, comparisonFixture({ missing: ['rl-0001'], surplus: SURPLUS }))
  expect(step).toMatchObject({ create: ['rl-0001'], remove: ['a'], policy: 'Delete' })
})

test('orphans surplus members by default', () => {
  expect(decideStep(fleetFixture(), comparisonFixture({ surplus: SURPLUS }))).toMatchObject({
    policy: 'Orphan',
  })
})

test('changes nothing while the fleet is paused', () => {
  const fleet = fleetFixture({ spec: { paused: true } })
  const comparison = comparisonFixture({
    missing: ['a'],
    surplus: SURPLUS,
    recycling: ['b'],
    expired: 1,
  })
  expect(decideStep(fleet, comparison)).toBeNull()
})

test('expires claims and resets released members', () => {
  const step = decideStep(fleetFixture(), comparisonFixture({ expired: 2, recycling: ['b'] }))
  expect(step).toMatchObject({ expire: true, reset: ['b'] })
})

test('neither creates nor resets members without their Scenario, but removes surplus ones', () => {
  const comparison = comparisonFixture({
    missing: ['a'],
    recycling: ['b'],
    surplus: SURPLUS,
    missingScenario: 'cart',
  })
  expect(decideStep(fleetFixture(), comparison)).toMatchObject({
    create: [],
    reset: [],
    remove: ['a'],
  })
})

describe('of a deleted fleet', () => {
  const metadata = { deletionTimestamp: '2026-01-02T00:00:00Z' }
  const comparison = comparisonFixture({ wanted: 0, surplus: SURPLUS, recycling: ['b'] })

  test('removes members and changes nothing else, also if the fleet is paused', () => {
    const fleet = fleetFixture({ metadata, spec: { paused: true, deletionPolicy: 'Delete' } })
    expect(decideStep(fleet, comparison)).toEqual({
      expire: false,
      remove: ['a'],
      policy: 'Delete',
      replace: [],
      create: [],
      reset: [],
      declare: [],
    })
  })

  test('prefers the policy of the delete call to that of the spec', () => {
    const annotations = { 'kplane.dev/deletion-policy': 'Orphan' }
    const fleet = fleetFixture({
      metadata: { ...metadata, annotations },
      spec: { deletionPolicy: 'Delete' },
    })
    expect(decideStep(fleet, comparison)).toMatchObject({ policy: 'Orphan' })
  })
})

describe('after a change of the template', () => {
  const outdated = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: id, available: true }))
  const replaced = (updateStrategy: JsonObject, counts = {}, members = outdated) => {
    const fleet = fleetFixture({ spec: { updateStrategy } })
    const comparison = comparisonFixture({ wanted: 8, counts, outdated: members })
    return decideStep(fleet, comparison)?.replace ?? []
  }
  const rolling = (maxUnavailable?: number | string) => ({
    type: 'RollingUpdate',
    ...(maxUnavailable !== undefined && { rollingUpdate: { maxUnavailable } }),
  })

  test('OnReplenish keeps existing members', () => {
    expect(replaced({ type: 'OnReplenish' })).toEqual([])
  })

  test('Recreate replaces all outdated members', () => {
    expect(replaced({ type: 'Recreate' })).toEqual(['a', 'b', 'c', 'd'])
  })

  test.each([
    [undefined, ['a', 'b']],
    ['50%', ['a', 'b', 'c', 'd']],
    ['1%', ['a']],
    [3, ['a', 'b', 'c']],
    [0, ['a']],
  ])('RollingUpdate with maxUnavailable %s replaces %j of 8 members', (limit, expected) => {
    expect(replaced(rolling(limit))).toEqual(expected)
  })

  test('RollingUpdate waits while too many members are unavailable', () => {
    expect(replaced(rolling(2), { ready: 6 })).toEqual([])
    expect(replaced(rolling(2), { ready: 7 })).toEqual(['a'])
  })

  test('RollingUpdate replaces members that are not available first, and all of them', () => {
    const members = outdated.map((member) => ({ ...member, available: member.id === 'a' }))
    expect(replaced(rolling(2), { ready: 5 }, members)).toEqual(['b', 'c', 'd'])
  })
})

test('recognizes a step that repeats the previous one', () => {
  const step = decideStep(fleetFixture(), comparisonFixture({ missing: ['a'] }))
  const other = decideStep(fleetFixture(), comparisonFixture({ missing: ['b'] }))
  expect(step !== null && isSameStep(step, step)).toBe(true)
  expect(step !== null && isSameStep(step, other)).toBe(false)
  expect(step !== null && isSameStep(step, null)).toBe(false)
})
