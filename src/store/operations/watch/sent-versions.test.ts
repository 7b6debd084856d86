import { expect, test } from 'vitest'
import type { Change, ChangeType } from '../../model/change.ts'
import { changeOfLabels } from './fixtures.ts'
import { createSentVersions } from './sent-versions.ts'

function change(id: string, version: bigint): Change {
  return changeOfLabels({ id, version, after: {} })
}

test.each<[version: bigint, type: ChangeType, expected: ChangeType | null]>([
  [4n, 'ADDED', null],
  [5n, 'MODIFIED', null],
  [5n, 'DELETED', null],
  [6n, 'MODIFIED', 'MODIFIED'],
  [6n, 'ADDED', 'MODIFIED'],
  [6n, 'DELETED', 'DELETED'],
])(
  'after the state sent version 5, version %s of type %s is sent as %s',
  (version, type, expected) => {
    const versions = createSentVersions()
    versions.record('a', 5n)
    expect(versions.typeToSend(change('a', version), type)).toBe(expected)
  },
)

test.each<[type: ChangeType, expected: ChangeType | null]>([
  ['ADDED', 'ADDED'],
  ['MODIFIED', 'ADDED'],
  ['DELETED', null],
])(
  'a change of type %s to an object that the state did not have is sent as %s',
  (type, expected) => {
    expect(createSentVersions().typeToSend(change('a', 7n), type)).toBe(expected)
  },
)

test('sends an object that returns after its removal as ADDED', () => {
  const versions = createSentVersions()
  versions.record('a', 5n)
  expect(versions.typeToSend(change('a', 6n), 'DELETED')).toBe('DELETED')
  expect(versions.typeToSend(change('a', 7n), 'DELETED')).toBeNull()
  expect(versions.typeToSend(change('a', 8n), 'MODIFIED')).toBe('ADDED')
  expect(versions.typeToSend(change('a', 9n), 'MODIFIED')).toBe('MODIFIED')
})
