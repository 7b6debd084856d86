import { expect, it } from 'vitest'
import { countStates, describeCounts, memberState } from './member-state.ts'

const claim = { holder: 'worker-1', claimID: 'x', claimedTime: '2026-01-01T00:00:00Z' }
const members = [
  { clusterID: 'a', phase: 'Ready' },
  { clusterID: 'b', phase: 'Ready', claim },
  { clusterID: 'c', phase: 'Pending', claim },
  { clusterID: 'd', phase: 'Failed' },
] as const

it('shows a claimed member that is being reset as pending', () => {
  expect(members.map(memberState)).toEqual(['available', 'claimed', 'pending', 'failed'])
})

it('describes the counts in one sentence', () => {
  expect(describeCounts(countStates(members.map(memberState)))).toBe(
    '4 members: 1 failed, 1 pending, 1 claimed, 1 available.',
  )
  expect(describeCounts(countStates([]))).toBe('No members.')
})
