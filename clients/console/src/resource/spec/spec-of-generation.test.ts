import { expect, test } from 'vitest'
import type { ResourceChange } from '../../../../typescript/src/index.ts'
import { specOfGeneration } from './spec-of-generation.ts'

function change(generation: number, part: Partial<ResourceChange> = {}): ResourceChange {
  return {
    resource_version: `v${generation}`,
    time: '2026-01-01T00:00:00Z',
    type: 'updated',
    kind: 'Cluster',
    id: 'a',
    name: 'a',
    generation,
    by: 'x',
    fields: [],
    ...part,
  }
}

function specChange(generation: number): ResourceChange {
  return change(generation, {
    fields: ['spec'],
    spec: { old: { size: generation - 1 }, new: { size: generation } },
  })
}

const CURRENT = { generation: 4, spec: { size: 4 } }
const CHANGES = [
  change(4, { type: 'reported', fields: ['conditions'] }),
  specChange(4),
  change(3, { fields: ['labels'] }),
  specChange(3),
  specChange(2),
  change(1, { type: 'created', spec: { old: null, new: { size: 1 } } }),
]

test.each([4, 3, 2, 1])('finds the spec of generation %i', (generation) => {
  expect(specOfGeneration(CURRENT, generation, CHANGES)).toEqual({ size: generation })
})

test('has no spec if the log does not reach back to the generation', () => {
  expect(specOfGeneration(CURRENT, 1, CHANGES.slice(0, 4))).toBeNull()
  expect(specOfGeneration(CURRENT, 2, CHANGES.slice(0, 4))).toEqual({ size: 2 })
  expect(specOfGeneration(CURRENT, 3, [])).toBeNull()
})

test('ignores changes that the page has not received', () => {
  expect(specOfGeneration(CURRENT, 3, [specChange(5), ...CHANGES])).toEqual({ size: 3 })
})

test('keeps the spec across the generation of a deletion', () => {
  const deleted = { generation: 5, spec: { size: 4 } }
  const changes = [change(5, { type: 'deleted', fields: ['deleted_time'] }), ...CHANGES]
  expect(specOfGeneration(deleted, 4, changes)).toEqual({ size: 4 })
})
