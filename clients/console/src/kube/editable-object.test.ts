import { expect, it } from 'vitest'
import { editableObject, updateOf } from './editable-object.ts'

const object = {
  status: { ready: true },
  spec: { size: 3 },
  kind: 'Widget',
  apiVersion: 'example.com/v1',
  metadata: { name: 'a', uid: 'u', resourceVersion: '7', managedFields: [], labels: { x: 'y' } },
}

it('shows what users edit, in the usual order', () => {
  const editable = editableObject(object)
  expect(Object.keys(editable)).toEqual(['apiVersion', 'kind', 'metadata', 'spec'])
  expect(editable['metadata']).toEqual({ name: 'a', labels: { x: 'y' } })
})

it('bases an update on a version and keeps its status', () => {
  const edited = { ...editableObject(object), spec: { size: 4 } }
  expect(updateOf(edited, object)).toEqual({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'a', labels: { x: 'y' }, uid: 'u', resourceVersion: '7' },
    spec: { size: 4 },
    status: { ready: true },
  })
})
