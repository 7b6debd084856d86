import { expect, test } from 'vitest'
import type { Change, ChangeType } from '../../model/change.ts'
import { changeOfLabels } from './fixtures.ts'
import { createSentVersions } from './sent-versions.ts'

function change(id: string, version: bigint): Change {
  return changeOfLabels({ id, version, after: {} })
}

test.each<[version: bigint, type: ChangeType, told: ChangeType | null]>([
  [4n, 'ADDED', null],
  [5n, 'MODIFIED', null],
  [5n, 'DELETED', null],
  [6n, 'MODIFIED', 'MODIFIED'],
  [6n, 'ADDED', 'MODIFIED'],
  [6n, 'DELETED', 'DELETED'],
])('of what was told at version 5, version %s that is %s is told as %s', (version, type, told) => {
  const versions = createSentVersions()
  versions.record('a', 5n)
  expect(versions.typeToSend(change('a', version), type)).toBe(told)
})

test.each<[type: ChangeType, told: ChangeType | null]>([
  ['ADDED', 'ADDED'],
  ['MODIFIED', 'ADDED'],
  ['DELETED', null],
])('of what was not told, a change that is %s is told as %s', (type, told) => {
  expect(createSentVersions().typeToSend(change('a', 7n), type)).toBe(told)
})

test('what has gone is added when it comes again', () => {
  const versions = createSentVersions()
  versions.record('a', 5n)
  expect(versions.typeToSend(change('a', 6n), 'DELETED')).toBe('DELETED')
  expect(versions.typeToSend(change('a', 7n), 'DELETED')).toBeNull()
  expect(versions.typeToSend(change('a', 8n), 'MODIFIED')).toBe('ADDED')
  expect(versions.typeToSend(change('a', 9n), 'MODIFIED')).toBe('MODIFIED')
})
