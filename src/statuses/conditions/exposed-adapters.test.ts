import { describe, expect, it } from 'vitest'
import { exposedAdapters } from './exposed-adapters.ts'

describe('adapters that map to one condition type', () => {
  it.each([
    { required: [], reporting: ['aB', 'a-b'], surfaces: 'a-b', why: 'the first by name' },
    { required: ['aB'], reporting: ['a-b', 'aB'], surfaces: 'aB', why: 'the required one' },
    {
      required: ['a-b', 'aB'],
      reporting: ['aB', 'a-b'],
      surfaces: 'a-b',
      why: 'the first required',
    },
    { required: ['aB'], reporting: ['a-b'], surfaces: 'a-b', why: 'the only one that reports' },
  ])('surfaces $why', ({ required, reporting, surfaces }) => {
    for (const order of [reporting, reporting.toReversed()]) {
      const candidates = order.map((adapter) => ({ adapter }))
      expect([...exposedAdapters(required, candidates)]).toEqual([
        ['ABSuccessful', { adapter: surfaces }],
      ])
    }
  })
})
