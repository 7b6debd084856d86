import { expect, test } from 'vitest'
import { OwnWrites } from './own-writes.ts'

const versionOf = (uid: string, resourceVersion: string) => ({
  apiVersion: 'agents.x-k8s.io/v1beta1',
  kind: 'Sandbox',
  metadata: { name: 'a', uid, resourceVersion },
})

test('recognizes each version that it has recorded, and no other one', () => {
  const writes = new OwnWrites()
  writes.record(versionOf('one', '4'))
  writes.record(versionOf('one', '6'))
  expect(writes.has(versionOf('one', '4'))).toBe(true)
  expect(writes.has(versionOf('one', '6'))).toBe(true)
  expect(writes.has(versionOf('one', '5'))).toBe(false)
  expect(writes.has(versionOf('two', '4'))).toBe(false)
})

test('recognizes no version of before changes were lost', () => {
  const writes = new OwnWrites()
  writes.record(versionOf('one', '4'))
  writes.forget()
  expect(writes.has(versionOf('one', '4'))).toBe(false)
  writes.record(versionOf('one', '5'))
  expect(writes.has(versionOf('one', '5'))).toBe(true)
})
