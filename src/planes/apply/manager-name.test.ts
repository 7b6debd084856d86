import { expect, test } from 'vitest'
import { defaultManager, managerNameErrors } from './manager-name.ts'

test.each([
  ['kubectl/v1.35.0 (linux/amd64) kubernetes/abc', 'kubectl'],
  ['Mozilla', 'Mozilla'],
  ['a b\u0007c/1', 'a bc'],
  ['x'.repeat(200), 'x'.repeat(128)],
  ['', ''],
  [undefined, ''],
])('R21: the default manager of the user agent %j is %j', (userAgent, manager) => {
  expect(defaultManager(userAgent)).toBe(manager)
})

test('R21: accepts printable names of up to 128 bytes', () => {
  expect(managerNameErrors('kubectl-edit ü')).toEqual([])
  expect(managerNameErrors('x'.repeat(129)).map(({ reason }) => reason)).toEqual([
    'FieldValueTooLong',
  ])
  expect(managerNameErrors('a\n').map(({ message }) => message)).toEqual([
    'Invalid value: "a\\n": invalid character U+000A (at position 1)',
  ])
})
