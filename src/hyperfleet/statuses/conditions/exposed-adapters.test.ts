import { describe, expect, it } from 'vitest'
import { exposedAdapters } from './exposed-adapters.ts'

describe('adapters that map to one condition type', () => {
  it.each([
    { required: [], reporting: ['aB', 'a-b'], exposed: 'a-b', why: 'the first by name' },
    { required: ['aB'], reporting: ['a-b', 'aB'], exposed: 'aB', why: 'the required one' },
    {
      required: ['a-b', 'aB'],
      reporting: ['aB', 'a-b'],
      exposed: 'a-b',
      why: 'the first required',
    },
    { required: ['aB'], reporting: ['a-b'], exposed: 'a-b', why: 'the only one that reports' },
  ])('exposes $why', ({ required, reporting, exposed }) => {
    for (const order of [reporting, reporting.toReversed()]) {
      const candidates = order.map((adapter) => ({ adapter }))
      expect([...exposedAdapters(required, candidates)]).toEqual([
        ['ABSuccessful', { adapter: exposed }],
      ])
    }
  })
})
