import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { signingKey } from '../fixtures.ts'
import { type KeySet, parseKeySet } from './key-set.ts'

const rsa = signingKey('RS256', 'rsa').jwk
const ec = signingKey('ES256', 'ec').jwk

function parse(...keys: readonly unknown[]): { keys: KeySet; skipped: readonly string[] } {
  const skipped: string[] = []
  const set = parseKeySet(JSON.stringify({ keys }), (reason) => skipped.push(reason))
  return { keys: set, skipped }
}

test('uses RSA keys for RS256 and P-256 keys for ES256', () => {
  const { keys, skipped } = parse({ ...rsa, use: 'sig', alg: 'RS256', key_ops: ['verify'] }, ec)
  expect(keys).toMatchObject([
    { id: 'rsa', algorithm: 'RS256' },
    { id: 'ec', algorithm: 'ES256' },
  ])
  expect(skipped).toEqual([])
})

test('uses the public part of a private key', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { keys } = parse(privateKey.export({ format: 'jwk' }))
  expect(keys.map(({ id, key }) => [id, key.type])).toEqual([[null, 'public']])
})

test('accepts keys with the same id and different algorithms', () => {
  expect(parse({ ...rsa, kid: 'one' }, { ...ec, kid: 'one' }).keys).toHaveLength(2)
})

test.each([
  [{ ...rsa, use: 'enc' }, "'use'"],
  [{ ...rsa, key_ops: ['encrypt'] }, "'key_ops'"],
  [{ ...rsa, key_ops: 'verify' }, "'key_ops'"],
  [{ ...rsa, alg: 'RS512' }, "'alg' is not RS256"],
  [{ ...ec, alg: 'RS256' }, "'alg' is not ES256"],
  [{ ...rsa, kid: 7 }, "'kid'"],
  [{ ...rsa, n: undefined }, "'n' is not a string"],
  [{ ...ec, x: 'AAAA' }, ''],
  [{ kty: 'oct', k: 'c2VjcmV0' }, 'neither RSA nor EC'],
  [generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' }), 'P-256'],
  [generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' }), '1024'],
  [ec, "an earlier key has the same kid 'ec'"],
  ['text', 'not an object'],
  [null, 'not an object'],
])('skips %j and reports the reason', (entry, reason) => {
  const { keys, skipped } = parse(ec, entry, rsa)
  expect(keys.map(({ id }) => id)).toEqual(['ec', 'rsa'])
  expect(skipped).toEqual([expect.stringContaining(reason)])
  expect(skipped[0]).toMatch(/^keys\[1\]: /)
})

test.each(['', '[]', 'null', '{}', '{"keys":{}}', '"keys"'])('rejects the text %j', (text) => {
  expect(() => parseKeySet(text, () => undefined)).toThrow()
})
