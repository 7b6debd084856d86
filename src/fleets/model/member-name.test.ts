import { expect, it } from 'vitest'
import { indexOfMember, memberName } from './member-name.ts'

it.each([
  [0, 'rl-0000'],
  [999, 'rl-0999'],
  [9999, 'rl-9999'],
  [10_000, 'rl-10000'],
])('names the member %i %s', (index, name) => {
  expect(memberName('rl-', index)).toBe(name)
  expect(indexOfMember('rl-', name)).toBe(index)
})

it.each(['rl-000', 'rl-00000', 'rl-0x00', 'other-0000', 'rl-', 'rl-0000-1', 'rl-1234567890'])(
  'finds no index in %j',
  (name) => expect(indexOfMember('rl-', name)).toBeNull(),
)
