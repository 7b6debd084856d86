import { expect, test } from 'vitest'
import { isPublicAddress } from './address-ranges.ts'
import { hostRules } from './host-rules.ts'

const allows = (entries: readonly string[], url: string): boolean => {
  try {
    hostRules('WEBHOOK_ALLOWED_HOSTS', entries).requireUrl(new URL(url))
    return true
  } catch {
    return false
  }
}

test.each([
  ['hooks.example.com', 'https://hooks.example.com/a'],
  ['hooks.example.com', 'https://HOOKS.example.com.:8443/a'],
  ['*.example.com', 'https://a.b.example.com'],
  ['*', 'https://anything.example'],
  ['http://hooks.example.com', 'http://hooks.example.com'],
  ['http://hooks.example.com', 'https://hooks.example.com'],
  ['10.0.0.0/8', 'https://10.1.2.3'],
  ['http://127.0.0.1', 'http://127.0.0.1:80'],
  ['fd00::/8', 'https://[fd00::1]'],
])('R31: the entry %s allows %s', (entry, url) => {
  expect(allows([entry], url)).toBe(true)
})

test.each([
  ['', 'https://hooks.example.com'],
  ['hooks.example.com', 'http://hooks.example.com'],
  ['hooks.example.com', 'https://hooks.example.com.evil.example'],
  ['*.example.com', 'https://example.com'],
  ['*.example.com', 'https://evilexample.com'],
  ['*', 'https://169.254.169.254/latest/meta-data'],
  ['*', 'https://[::ffff:127.0.0.1]'],
  ['*', 'https://0x7f.1'],
  ['*', 'http://hooks.example.com'],
  ['10.0.0.0/8', 'https://11.0.0.1'],
  ['10.0.0.0/8', 'http://10.0.0.1'],
  ['*', 'ftp://hooks.example.com'],
  ['*', 'file:///etc/passwd'],
])('R31: the entry %j rejects %s', (entry, url) => {
  expect(allows(entry === '' ? [] : [entry], url)).toBe(false)
})

test.each(['a b', 'https://a.example', '10.0.0.0/33', '*.', 'a*.example', '10.0.0.0/x'])(
  'R31: rejects the entry %j',
  (entry) => {
    expect(() => hostRules('WEBHOOK_ALLOWED_HOSTS', [entry])).toThrow('WEBHOOK_ALLOWED_HOSTS')
  },
)

test.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111'])('R31: %s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  '127.0.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:8.8.8.8',
  '64:ff9b::a00:1',
  'fe80::1',
  'fd00:ec2::254',
  'ff02::1',
  '2002:7f00:1::',
  'not an address',
])('R31: %s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test('R31: an allowed name that resolves to a private address is rejected unless listed', () => {
  expect(() =>
    hostRules('WEBHOOK_ALLOWED_HOSTS', ['*']).requireAddress('a.example', '10.0.0.1'),
  ).toThrow('host a.example resolves to an address that is not public')
  expect(() =>
    hostRules('WEBHOOK_ALLOWED_HOSTS', ['*', '10.0.0.0/8']).requireAddress('a', '10.0.0.1'),
  ).not.toThrow()
})
