import { expect, test } from 'vitest'
import type { HistoryEntry, ResourceChange } from '../../../typescript/src/index.ts'
import { changeText, historyText } from './change-text.ts'

const CHANGE: ResourceChange = {
  resource_version: '1',
  time: '2026-01-01T00:00:00Z',
  type: 'updated',
  kind: 'Cluster',
  id: 'a',
  name: 'a',
  generation: 2,
  by: 'ada',
  fields: ['spec', 'labels'],
}

test('names changed values of the spec and the labels', () => {
  const text = changeText({
    ...CHANGE,
    spec: {
      old: { release: { version: '1' }, size: 1 },
      new: { release: { version: '2' }, zone: 'a' },
    },
    labels: { old: {}, new: { tier: 'gold' } },
  })
  expect(text).toEqual({
    action: 'changed spec, labels',
    details: [
      'spec.release.version: 1 → 2',
      'spec.size removed (was 1)',
      'spec.zone = a',
      'labels.tier = gold',
    ],
  })
})

test('shows changed conditions of a report', () => {
  const { action, details } = changeText({
    ...CHANGE,
    type: 'reported',
    by: 'dns',
    adapter: 'dns',
    fields: ['conditions'],
    conditions: [
      { type: 'Ready', old: { status: 'False' }, new: { status: 'True', message: 'ready' } },
      { type: 'Reconciled', old: { status: 'False' }, new: { status: 'True' } },
      {
        type: 'Available',
        old: { status: 'False', message: 'a' },
        new: { status: 'False', message: 'b' },
      },
      {
        type: 'GcpSuccessful',
        old: { status: 'False' },
        new: { status: 'False', message: 'quota' },
      },
      { type: 'DnsSuccessful', old: null, new: { status: 'True', message: 'served' } },
    ],
  })
  expect(action).toBe('reported')
  expect(details).toEqual([
    'Ready, Reconciled False → True',
    'GcpSuccessful False: quota',
    'DnsSuccessful absent → True: served',
  ])
})

test('omits the values of a creation', () => {
  const created = { ...CHANGE, type: 'created', spec: { old: null, new: { size: 1 } } } as const
  expect(changeText(created)).toEqual({ action: 'created the resource', details: [] })
})

const ENTRY: HistoryEntry = {
  time: '2026-01-01T00:00:00Z',
  type: 'updated',
  kind: 'Cluster',
  id: 'a',
  name: 'a',
  generation: 2,
  by: 'ada',
  changes: [],
}

test('names the changed values of an entry of the history', () => {
  const changes = [
    { path: '/spec/release/version', old: '1', new: '2' },
    { path: '/spec/a~1b', old: 1 },
    { path: '/labels/tier', new: 'gold' },
  ]
  expect(historyText({ ...ENTRY, changes })).toEqual({
    action: 'changed spec, labels',
    details: ['spec.release.version: 1 → 2', 'spec.a/b removed (was 1)', 'labels.tier = gold'],
  })
})

test('shows the reason of a forced deletion, without the last values', () => {
  const removed = {
    type: 'removed',
    reason: 'gone',
    changes: [{ path: '/spec', old: {} }],
  } as const
  expect(historyText({ ...ENTRY, ...removed })).toEqual({
    action: 'completed the deletion',
    details: ['reason: gone'],
  })
})
