import { describe, expect, it } from 'vitest'
import type { ResourceChange } from '../../../typescript/src/generated/hyperfleet.ts'
import { describeChange } from './describe-change.ts'

function change(more: Partial<ResourceChange>): ResourceChange {
  return {
    resource_version: '1',
    time: '2026-05-01T12:00:00Z',
    type: 'updated',
    kind: 'Cluster',
    id: 'a',
    name: 'paris',
    generation: 2,
    by: 'ada',
    fields: [],
    ...more,
  }
}

describe('the words for a change', () => {
  it('names the changed fields', () => {
    expect(describeChange(change({ fields: ['spec', 'labels'] })).text).toBe('changed spec, labels')
  })

  it('prefers the transition to ready', () => {
    const conditions = [
      { type: 'Ready', old: { status: 'False' }, new: { status: 'True' } } as const,
    ]
    const text = describeChange(change({ type: 'reported', adapter: 'dns', conditions }))
    expect(text).toMatchObject({ tone: 'good', text: 'became ready' })
  })

  it('names the reason if a resource is no longer ready', () => {
    const next = { status: 'False', reason: 'AdapterFailed' } as const
    const conditions = [{ type: 'Ready', old: { status: 'True' }, new: next } as const]
    const text = describeChange(change({ type: 'reported', conditions }))
    expect(text).toMatchObject({ tone: 'bad', text: 'is not ready: AdapterFailed' })
  })

  it('is a creation, although a new resource is not ready', () => {
    const conditions = [{ type: 'Ready', old: null, new: { status: 'False' } } as const]
    expect(describeChange(change({ type: 'created', conditions })).text).toBe('created')
  })

  it('is a report if Ready stays the same', () => {
    expect(describeChange(change({ type: 'reported' })).text).toBe('reported')
  })
})
