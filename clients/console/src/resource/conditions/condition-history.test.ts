import { expect, test } from 'vitest'
import type { ResourceChange, ResourceCondition } from '../../../../typescript/src/index.ts'
import { conditionHistories } from './condition-history.ts'
import { placeIn, timeWindow } from './time-window.ts'

const START = Date.parse('2026-01-01T00:00:00Z')

function condition(type: string, status: 'True' | 'False', reason: string): ResourceCondition {
  const time = new Date(START + 30_000).toISOString()
  return {
    type,
    status,
    reason,
    observed_generation: 1,
    created_time: time,
    last_updated_time: time,
    last_transition_time: time,
  }
}

function change(seconds: number, conditions: ResourceChange['conditions']): ResourceChange {
  return {
    resource_version: `${seconds}`,
    time: new Date(START + seconds * 1000).toISOString(),
    type: 'reported',
    kind: 'Cluster',
    id: 'a',
    name: 'a',
    generation: 1,
    by: 'dns',
    fields: ['conditions'],
    conditions,
  }
}

const CHANGES = [
  change(30, [
    {
      type: 'Ready',
      old: { status: 'False', reason: 'NotReady' },
      new: { status: 'True', reason: 'Ready' },
    },
  ]),
  change(20, [
    {
      type: 'Ready',
      old: { status: 'False', reason: 'NotReady', message: 'a' },
      new: { status: 'False', reason: 'NotReady', message: 'b' },
    },
  ]),
  change(10, [
    {
      type: 'Ready',
      old: { status: 'False', reason: 'Waiting' },
      new: { status: 'False', reason: 'NotReady' },
    },
  ]),
]

function shown(changes: readonly ResourceChange[]): string[] {
  const [history] = conditionHistories([condition('Ready', 'True', 'Ready')], changes)
  const at = (time: number | null) => (time === null ? '' : (time - START) / 1000)
  return (history?.periods ?? []).map(
    ({ status, reason, from, to }) => `${status} ${reason} ${at(from)}..${at(to)}`,
  )
}

test('divides the history of a condition by status and reason', () => {
  expect(shown(CHANGES)).toEqual(['False Waiting ..10', 'False NotReady 10..30', 'True Ready 30..'])
})

test('starts with the change that added the condition', () => {
  const added = change(5, [
    { type: 'Ready', old: null, new: { status: 'False', reason: 'Waiting' } },
  ])
  expect(shown([...CHANGES, added])[0]).toBe('False Waiting 5..10')
})

test('falls back to the transition time without changes', () => {
  expect(shown([])).toEqual(['True Ready 30..'])
})

test('shows the recorded changes and at least a minute', () => {
  const histories = conditionHistories([condition('Ready', 'True', 'Ready')], CHANGES)
  const now = START + 40_000
  expect(timeWindow(histories, START, now)).toEqual({ from: START, to: START + 60_000 })
  const window = timeWindow(histories, START - 86_400_000 * 9, START + 110_000)
  expect(window).toEqual({ from: START + 5000, to: START + 110_000 })
  expect(placeIn(window, START + 57_500)).toBe(0.5)
  expect(placeIn(window, null)).toBe(0)
})
