import { expect, test } from 'vitest'
import { isAdministrator, readAdministrators } from './administrators.ts'
import { readIssuerUrl } from './issuer-settings.ts'

test('reads users and groups', () => {
  expect(readAdministrators('user:ada@example.com, group:platform:ops')).toEqual([
    { type: 'user', name: 'ada@example.com' },
    { type: 'group', name: 'platform:ops' },
  ])
})

test.each(['ada', 'user:', 'robot:r2', 'group:system:masters'])('rejects %j', (text) => {
  expect(() => readAdministrators(text)).toThrow(/expected user:name|reserved/)
})

test('an administrator is named itself or by a group', () => {
  const administrators = readAdministrators('user:ada,group:ops')
  expect(isAdministrator(administrators, { name: 'ada', groups: [] })).toBe(true)
  expect(isAdministrator(administrators, { name: 'eve', groups: ['ops'] })).toBe(true)
  expect(isAdministrator(administrators, { name: 'ops', groups: ['ada'] })).toBe(false)
})

test('an issuer is a URL without a trailing slash', () => {
  expect(readIssuerUrl('https://fleet.example.com/base')).toBe('https://fleet.example.com/base')
  for (const text of ['fleet', 'ftp://x', 'https://x/', 'https://x?a=b', 'https://u:p@x']) {
    expect(() => readIssuerUrl(text)).toThrow('expected an http or https URL')
  }
})
