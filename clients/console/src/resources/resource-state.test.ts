import { describe, expect, it } from 'vitest'
import { resourceState } from './resource-state.ts'

const TIMES = { created_time: '', last_updated_time: '', last_transition_time: '' }
const KIND = { required_adapters: ['validator', 'dns-zone'] }

function condition(type: string, status: 'True' | 'False', more: object = {}) {
  return { type, status, observed_generation: 2, ...TIMES, ...more }
}

function stateWith(conditions: readonly ReturnType<typeof condition>[], more: object = {}) {
  return resourceState({ generation: 2, status: { conditions }, ...more }, KIND)
}

describe('the state of a resource', () => {
  it('is ready if Ready is True', () => {
    expect(stateWith([condition('Ready', 'True')])).toMatchObject({ label: 'Ready', reason: '' })
  })

  it('follows Reconciled if the server hides Ready', () => {
    expect(stateWith([condition('Reconciled', 'True')]).label).toBe('Ready')
  })

  it('names the adapters whose reports are missing', () => {
    const state = stateWith([condition('Ready', 'False')])
    expect(state).toMatchObject({ tone: 'warn', reason: 'waits for validator, dns-zone' })
  })

  it('names only the adapters that the resource declares', () => {
    const conditions = [condition('Ready', 'False')]
    const declared = (required_adapters: readonly string[], more: object = {}) =>
      stateWith(conditions, { required_adapters, ...more }).reason
    expect(declared(['dns-zone'])).toBe('waits for dns-zone')
    expect(declared([], { deleted_time: '2026-11-24T00:00:00Z' })).toBe('')
  })

  it('names failures first, with their message', () => {
    const state = stateWith([
      condition('Ready', 'False'),
      condition('DnsZoneSuccessful', 'False', { message: 'zone not found' }),
      condition('ValidatorSuccessful', 'True', { observed_generation: 1 }),
    ])
    expect(state).toMatchObject({
      label: 'Failing',
      tone: 'bad',
      reason: 'dns-zone: zone not found, validator behind',
    })
  })

  it('waits for adapters that report a generation that does not exist', () => {
    const ahead = { observed_generation: 3 }
    const state = stateWith([
      condition('Ready', 'False'),
      condition('ValidatorSuccessful', 'True', ahead),
      condition('DnsZoneSuccessful', 'False', ahead),
    ])
    expect(state).toMatchObject({
      label: 'Waiting',
      reason: 'validator, dns-zone at a generation that does not exist',
    })
  })

  it('shows the message of Ready if every adapter has reported', () => {
    const conditions = [
      condition('Ready', 'False', { message: 'a rule failed' }),
      condition('ValidatorSuccessful', 'True'),
      condition('DnsZoneSuccessful', 'True'),
    ]
    expect(stateWith(conditions).reason).toBe('a rule failed')
  })

  it('is Deleting after a request to delete it', () => {
    expect(stateWith([condition('Ready', 'True')], { deleted_time: 'x' }).label).toBe('Deleting')
  })

  it('has no state if its kind has no statuses', () => {
    expect(stateWith([]).label).toBe('No status')
  })
})
