import { expect, test } from 'vitest'
import { labelPatch, rowProblem, rowsOf } from './label-rows.ts'

const LABELS = { tier: 'gold', team: 'blue' }

test('patches only labels that differ', () => {
  const rows = [
    { row: 0, key: 'tier', value: 'silver' },
    { row: 2, key: 'env', value: 'prod' },
    { row: 3, key: '', value: '' },
  ]
  expect(labelPatch(LABELS, rows)).toEqual({ team: null, tier: 'silver', env: 'prod' })
  expect(labelPatch(LABELS, rowsOf(LABELS))).toBeNull()
})

test('rejects repeated keys and values without a key', () => {
  const rows = [
    ...rowsOf(LABELS),
    { row: 2, key: 'tier', value: 'x' },
    { row: 3, key: '', value: 'y' },
  ]
  expect(rows.map((row) => rowProblem(row, rows))).toEqual([
    null,
    null,
    'The key tier is used twice.',
    'Enter a key.',
  ])
})
