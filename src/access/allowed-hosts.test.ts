import { describe, expect, test } from 'vitest'
import { isServedHost, readAllowedHosts } from './allowed-hosts.ts'

const ALLOWED = readAllowedHosts('Flotilla.example.com., *.fleet.internal,,Bücher.example')

describe('readAllowedHosts', () => {
  test('reads names as DNS has them', () => {
    expect(ALLOWED).toEqual(['flotilla.example.com', '*.fleet.internal', 'xn--bcher-kva.example'])
  })

  test('rejects an entry that allows every name', () => {
    expect(() => readAllowedHosts('a.example,*')).toThrow('every web page')
  })

  test.each([
    'https://a.example',
    'a.example:8000',
    'a.example/path',
    '10.0.0.0/8',
    '[::1]',
    'a b',
    '*.',
    '*.*.example',
    'a.*',
    '-a',
  ])('rejects %s', (entry) => {
    expect(() => readAllowedHosts(`ok.example,${entry}`)).toThrow(`found '${entry}'`)
  })
})

describe('isServedHost', () => {
  test.each([
    '127.0.0.1',
    '127.0.0.1:8000',
    '192.168.1.20:80',
    '[::1]',
    '[::1]:8000',
    '[::ffff:127.0.0.1]:8000',
    '[fe80::1%25eth0]:8000',
    'localhost',
    'LOCALHOST:8000',
    'localhost.',
    'localhost.:8000',
    'localhost:',
    'web.localhost:8000',
    'flotilla.example.com',
    'FLOTILLA.Example.com.:443',
    'a.fleet.internal',
    'a.b.fleet.internal:80',
    'xn--bcher-kva.example',
  ])('serves %s', (host) => {
    expect(isServedHost(host, ALLOWED)).toBe(true)
  })

  test.each([
    'evil.example',
    'evil.example:8000',
    'localhost.evil.example',
    'evil-localhost',
    'evillocalhost',
    'localhost..',
    '127.0.0.1.nip.io',
    '127.0.0.1.',
    '127.1',
    '2130706433',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '0x7f000001',
    '::1',
    '[::1',
    '::1]',
    '[evil.example]',
    '[::1].evil.example',
    'fleet.internal',
    'evilfleet.internal',
    'flotilla.example.com.evil.example',
    'evil.example:80:localhost',
    'localhost:80:80',
    'localhost@evil.example',
    'evil.example@web.localhost',
    'evil.example/.localhost',
    'evil.example#localhost',
    'localhost,evil.example',
    'localhost evil.example',
    'localhost\t',
    '',
    ':8000',
  ])('does not serve %j', (host) => {
    expect(isServedHost(host, ALLOWED)).toBe(false)
  })
})
