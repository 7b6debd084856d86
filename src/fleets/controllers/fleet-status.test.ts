import { describe, expect, test } from 'vitest'
import { must } from '../../lib/assert.ts'
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import { comparisonFixture, fleetFixture } from './fixtures.ts'
import { fleetStatus } from './fleet-status.ts'

const NOW = new Date('2026-01-01T00:01:00Z')
const LATER = new Date('2026-01-01T00:02:00Z')
const NO_FAILURES: ReadonlyMap<string, string> = new Map()

function conditionOf(status: JsonObject | null, type: string): JsonObject {
  const conditions = Array.isArray(status?.['conditions']) ? status['conditions'] : []
  const found = conditions.filter(isJsonObject).find((condition) => condition['type'] === type)
  return must(found ?? null, `the condition ${type}`)
}

test('counts members and reports them in order', () => {
  const members = ['rl-0000', 'rl-0001'].map((clusterID) => ({
    clusterID,
    uid: `id of ${clusterID}`,
    phase: 'Ready' as const,
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }))
  const comparison = comparisonFixture({ wanted: 2, members, counts: { claimed: 1, available: 1 } })
  expect(
    fleetStatus({ fleet: fleetFixture(), comparison, failures: NO_FAILURES }, NOW),
  ).toMatchObject({
    observedGeneration: 2,
    replicas: 2,
    readyReplicas: 2,
    availableReplicas: 1,
    updatedReplicas: 2,
    claimedReplicas: 1,
    failedReplicas: 0,
    members,
    membersTruncated: false,
    readyTime: '2026-01-01T00:01:00Z',
  })
})

test('is null if nothing has changed, at any time', () => {
  const comparison = comparisonFixture()
  const first = fleetStatus({ fleet: fleetFixture(), comparison, failures: NO_FAILURES }, NOW)
  const fleet = fleetFixture({ status: must(first, 'a status') })
  expect(fleetStatus({ fleet, comparison, failures: NO_FAILURES }, LATER)).toBeNull()
})

test('a condition keeps its time until its status changes', () => {
  const state = { failures: NO_FAILURES, comparison: comparisonFixture({ counts: { ready: 1 } }) }
  const first = must(fleetStatus({ fleet: fleetFixture(), ...state }, NOW), 'a status')
  expect(conditionOf(first, 'Ready')).toEqual({
    type: 'Ready',
    status: 'False',
    reason: 'MembersNotReady',
    message: '1 of 3 members are ready',
    observedGeneration: 2,
    lastTransitionTime: '2026-01-01T00:01:00Z',
  })
  const fleet = fleetFixture({ status: first })
  const slower = { ...state, comparison: comparisonFixture({ counts: { ready: 2 } }) }
  expect(conditionOf(fleetStatus({ fleet, ...slower }, LATER), 'Ready')).toMatchObject({
    message: '2 of 3 members are ready',
    lastTransitionTime: '2026-01-01T00:01:00Z',
  })
  const ready = { ...state, comparison: comparisonFixture() }
  expect(conditionOf(fleetStatus({ fleet, ...ready }, LATER), 'Ready')).toMatchObject({
    status: 'True',
    lastTransitionTime: '2026-01-01T00:02:00Z',
  })
})

test('keeps the first times that the fleet was ready and claimed', () => {
  const status = { readyTime: '2026-01-01T00:00:10Z', firstClaimTime: '2026-01-01T00:00:20Z' }
  const comparison = comparisonFixture({ firstClaim: '2026-01-01T00:00:40Z' })
  const fleet = fleetFixture({ status })
  expect(fleetStatus({ fleet, comparison, failures: NO_FAILURES }, NOW)).toMatchObject(status)
})

test('members that could not be created are Failed with the reason', () => {
  const members = [
    { clusterID: 'rl-0000', phase: 'Pending', message: '', lastTransitionTime: '' } as const,
  ]
  const comparison = comparisonFixture({ members, counts: { members: 2, ready: 2 } })
  const failures = new Map([['rl-0000', 'labels.a: too long']])
  const status = fleetStatus({ fleet: fleetFixture(), comparison, failures }, NOW)
  expect(status).toMatchObject({
    failedReplicas: 1,
    members: [{ clusterID: 'rl-0000', phase: 'Failed', message: 'labels.a: too long' }],
  })
  expect(conditionOf(status, 'Degraded')).toMatchObject({
    status: 'True',
    reason: 'CreationFailed',
    message: '1 members could not be created, such as "rl-0000": labels.a: too long',
  })
})

test('counts surplus members that leave after their reset', () => {
  const comparison = comparisonFixture({ awaitedSurplus: 2 })
  const state = { fleet: fleetFixture(), comparison, failures: NO_FAILURES }
  expect(conditionOf(fleetStatus(state, NOW), 'ScalingDown')).toMatchObject({
    status: 'True',
    reason: 'SurplusMembers',
    message: '2 surplus members leave after their reset',
  })
})

describe('conditions', () => {
  const reasons = (
    fleet: ReturnType<typeof fleetFixture>,
    comparison: ReturnType<typeof comparisonFixture>,
  ) => {
    const status = fleetStatus({ fleet, comparison, failures: NO_FAILURES }, NOW)
    const types = ['Ready', 'Progressing', 'ScalingDown', 'Degraded', 'Deleting']
    return types.map((type) => {
      const { status: value, reason } = conditionOf(status, type)
      return `${String(value)} ${String(reason)}`
    })
  }

  test('of a complete fleet', () => {
    expect(reasons(fleetFixture(), comparisonFixture())).toEqual([
      'True MembersReady',
      'False Complete',
      'False NoSurplus',
      'False AsExpected',
      'False NotDeleted',
    ])
  })

  test('of a growing fleet with a foreign cluster', () => {
    const counts = { members: 1, ready: 1, failed: 1 }
    const comparison = comparisonFixture({ counts, missing: ['a'], conflicts: ['b'] })
    expect(reasons(fleetFixture(), comparison)).toEqual([
      'False MembersNotReady',
      'True CreatingMembers',
      'False NoSurplus',
      'True NameConflict',
      'False NotDeleted',
    ])
  })

  test('of a fleet that waits for adapters of removed clusters', () => {
    const comparison = comparisonFixture({ counts: { terminating: 2 }, waitingFor: ['dns'] })
    expect(reasons(fleetFixture(), comparison)[2]).toBe('True WaitingForAdapters')
  })

  test('of a smaller fleet with claimed members', () => {
    const comparison = comparisonFixture({ wanted: 2, counts: { members: 2, claimed: 2 } })
    const smaller = fleetFixture({ spec: { replicas: 1 } })
    expect(reasons(smaller, comparison)[2]).toBe('True MembersClaimed')
    const pool = fleetFixture({ spec: { replicas: 1, minReady: 1 } })
    expect(reasons(pool, comparison)[2]).toBe('False NoSurplus')
  })

  test('of a paused fleet', () => {
    const fleet = fleetFixture({ spec: { paused: true } })
    expect(reasons(fleet, comparisonFixture({ missing: ['a'] }))[1]).toBe('False Paused')
  })

  test('of a fleet without its Scenario', () => {
    const comparison = comparisonFixture({ missing: ['a'], missingScenario: 'cart' })
    expect(reasons(fleetFixture(), comparison)[3]).toBe('True ScenarioNotFound')
  })

  test('of a deleted fleet', () => {
    const fleet = fleetFixture({
      metadata: { deletionTimestamp: '2026-01-01T00:00:30Z' },
      spec: { deletionPolicy: 'Delete' },
    })
    const counts = { members: 0, terminating: 2 }
    const comparison = comparisonFixture({ wanted: 0, counts, waitingFor: ['dns'] })
    expect(reasons(fleet, comparison)).toEqual([
      'False Deleting',
      'False Deleting',
      'False Deleting',
      'False AsExpected',
      'True WaitingForAdapters',
    ])
    const status = fleetStatus({ fleet, comparison, failures: NO_FAILURES }, NOW)
    expect(conditionOf(status, 'Deleting')['message']).toBe('2 deleted clusters wait for dns')
  })
})
