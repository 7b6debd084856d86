import { expect, it } from 'vitest'
import { resolveUser } from './resolve-user.ts'

const passwd =
  'root:x:0:0::/root:/bin/sh\n# comment\napp:x:1000:1001::/home/app:/bin/sh\n7:x:70:71:::\n'
const group = 'root:x:0:\nstaff:x:50:app\n'

it.each([
  ['app', 1000, 1001],
  ['1000', 1000, 1001],
  ['root', 0, 0],
  ['1234', 1234, 0],
  ['1234:5678', 1234, 5678],
  ['app:staff', 1000, 50],
  ['app:9', 1000, 9],
  ['app:', 1000, 1001],
  ['7', 70, 71],
])('resolves the user %j', (text, uid, gid) => {
  expect(resolveUser(text, { passwd, group })).toEqual({ uid, gid })
})

it('resolves no user if the configuration names none', () => {
  expect(resolveUser('', { passwd, group })).toBeNull()
})

it.each([
  ['nobody', 'has no account in /etc/passwd'],
  ['app:wheel', 'not in /etc/group'],
  ['2147483648', 'has no account'],
  ['-1', 'has no account'],
  [':staff', 'is not "user" or "user:group"'],
  ['a:b:c', 'is not "user" or "user:group"'],
])('rejects the user %j', (text, problem) => {
  expect(() => resolveUser(text, { passwd, group })).toThrow(problem)
})
