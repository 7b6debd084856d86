import { expect, it } from 'vitest'
import { cellState } from './cell-state.ts'

const KIND = { required_adapters: ['dns', 'gcp-net'] }

function stateOf(adapter: string, reports: Readonly<Record<string, [string, number]>>) {
  const conditions = Object.entries(reports).map(([type, [status, observed]]) => ({
    type,
    status: status === 'True' ? ('True' as const) : ('False' as const),
    observed_generation: observed,
    last_transition_time: '2026-11-29T12:00:00Z',
    created_time: '2026-11-29T12:00:00Z',
    last_updated_time: '2026-11-29T12:00:00Z',
  }))
  return cellState({ generation: 3, status: { conditions } }, KIND, adapter)
}

it.each([
  ['satisfied', ['True', 3]],
  ['false', ['False', 3]],
  ['behind', ['True', 2]],
  ['ahead', ['False', 4]],
] as const)('an adapter is %s after the report %s', (state, [status, observed]) => {
  expect(stateOf('gcp-net', { GcpNetSuccessful: [status, observed] })).toBe(state)
})

it('an adapter without a report is missing, and one that is not required has no state', () => {
  expect(stateOf('dns', {})).toBe('missing')
  expect(stateOf('other', { OtherSuccessful: ['False', 3] })).toBeNull()
})
