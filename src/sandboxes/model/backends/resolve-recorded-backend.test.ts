import { describe, expect, test } from 'vitest'
import { must } from '../../../lib/assert.ts'
import type { Backend } from './backend.ts'
import type { BackendObjects } from './backend-objects.ts'
import { objectsOfA, objectsOfB, PROCESS } from './fixtures.ts'
import { recordBackend, recordedBackendOf } from './recorded-backend.ts'
import { resolveBackend } from './resolve-backend.ts'
import { resolveRecordedBackend } from './resolve-recorded-backend.ts'

function recorded(objects: BackendObjects): Backend {
  const resolution = resolveBackend(objects)
  if ('unresolved' in resolution) throw new Error(resolution.message)
  return must(recordedBackendOf(recordBackend(resolution.backend)), 'a recorded backend')
}

const CURRENT = { currentDriver: 'process', drivers: [PROCESS] }

describe.each([
  ['provider', objectsOfA(), 'ProviderNotFound', 'the SnapshotProvider "disk"'],
  ['class', objectsOfB(), 'ClassNotFound', 'the SnapshotClass "fast"'],
] as const)('a backend that a snapshot recorded with a %s', (_, objects, reason, subject) => {
  const backend = recorded(objects)

  test('is read as it was written', () => {
    expect({ backend }).toEqual(resolveBackend(objects))
  })

  test('is used while the object exists with the same driver', () => {
    expect(resolveRecordedBackend(backend, CURRENT)).toEqual({ backend })
  })

  test('is not used after the object was removed', () => {
    expect(resolveRecordedBackend(backend, { ...CURRENT, currentDriver: null })).toEqual({
      unresolved: reason,
      message: `${subject} does not exist`,
    })
  })

  test('is not used if the object has another driver', () => {
    expect(resolveRecordedBackend(backend, { ...CURRENT, currentDriver: 'gvisor' })).toEqual({
      unresolved: reason,
      message: `${subject} has the driver "gvisor", but the snapshot needs "process"`,
    })
  })

  test('is not used without a runtime that has the driver', () => {
    expect(resolveRecordedBackend(backend, { ...CURRENT, drivers: [] })).toMatchObject({
      unresolved: 'DriverNotFound',
    })
  })
})

test('a Snapshot without a backend has none', () => {
  expect(recordedBackendOf(undefined)).toBeNull()
  expect(recordedBackendOf({ path: 'C' })).toBeNull()
})
