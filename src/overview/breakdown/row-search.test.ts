import { expect, it } from 'vitest'
import { parseAll } from '../../store/search/language/parse.ts'
import { breakdownFields } from './breakdown-field.ts'
import { rowSearch } from './row-search.ts'

const DECLARED = [{ kind: 'Cluster', path: ['region'] }]
const ROW = { adapter: 'gcp-dns', reason: "It's", values: [], count: 1, failing: 1 }
const READY = "status.conditions.Ready='False'"
const DNS = 'status.conditions.GcpDnsSuccessful'

function searchOf(by: string, row: Partial<Parameters<typeof rowSearch>[1]>): string | null {
  const search = rowSearch(breakdownFields(by, 'Cluster', DECLARED), { ...ROW, ...row })
  if (search !== null) parseAll([search])
  return search
}

it.each([
  ['Missing', `${DNS} is null`],
  ['Behind', `${DNS}.observed_generation < generation`],
  ['Ahead', `${DNS}.observed_generation > generation`],
])('finds waiting resources: %s', (reason, expected) => {
  expect(searchOf('adapter,reason', { reason, failing: 0 })).toBe(`${READY} and ${expected}`)
})

it('finds the reason of a failing adapter at the current generation', () => {
  expect(searchOf('adapter,reason', {})).toBe(
    `${READY} and ${DNS}='False' and ${DNS}.observed_generation = generation and ${DNS}.reason='It''s'`,
  )
})

it('finds values, absent values and cut values', () => {
  const long = 'x'.repeat(200)
  const values = ['x', null, long]
  expect(searchOf('labels.a,spec.region,labels."b c"', { adapter: null, values })).toBe(
    `${READY} and labels.a='x' and spec.region is null and labels."b c" between '${long}' and '${long}\u{10ffff}'`,
  )
})

it('has no search for a reason of any adapter', () => {
  expect(searchOf('reason', { adapter: null })).toBeNull()
})
