import { expect, test } from 'vitest'
import { decidingAdapters, failingSearch, waitingSearch } from './state-search.ts'

test('adapters of single resources join those of the kind', () => {
  const values = [{ adapter: 'dns' }, { adapter: 'quota' }, { adapter: null }]
  const items = values.map((value) => ({ values: value }))
  expect(decidingAdapters(['dns', 'validator'], items)).toEqual(['dns', 'validator', 'quota'])
})

test('a failing resource has a failure at the current generation, a waiting one has none', () => {
  const failure =
    "(status.conditions.DnsSuccessful='False' and status.conditions.DnsSuccessful.observed_generation = generation)"
  expect(failingSearch(['dns'])).toBe(`status.conditions.Ready='False' and (${failure})`)
  expect(waitingSearch(['dns'])).toBe(`status.conditions.Ready='False' and not (${failure})`)
  expect(failingSearch([])).toBe("status.conditions.Ready='False'")
})
