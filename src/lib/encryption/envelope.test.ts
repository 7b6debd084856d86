import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { type EncryptionKey, readEncryptionKeys } from './encryption-keys.ts'
import { createEnvelope, isEncrypted } from './envelope.ts'

const keyOf = (id: string): EncryptionKey => ({ id, key: randomBytes(32) })
const old = keyOf('2025')
const current = keyOf('2026')

test('decrypts the text that it encrypted, which the result does not contain', () => {
  const envelope = createEnvelope([current])
  const encrypted = envelope.encrypt('s3cret é', 'a')
  expect(encrypted).not.toContain('s3cret')
  expect(encrypted).toContain(':2026:')
  expect(isEncrypted(encrypted)).toBe(true)
  expect(envelope.decrypt(encrypted, 'a')).toBe('s3cret é')
  expect(envelope.encrypt('s3cret é', 'a')).not.toBe(encrypted)
})

test('decrypts with older keys and encrypts with the first one', () => {
  const encrypted = createEnvelope([old]).encrypt('text', 'a')
  const rotated = createEnvelope([current, old])
  expect(rotated.decrypt(encrypted, 'a')).toBe('text')
  expect(rotated.encrypt('text', 'a')).toContain(':2026:')
})

test('names the key that is missing', () => {
  const encrypted = createEnvelope([old]).encrypt('text', 'a')
  expect(() => createEnvelope([current]).decrypt(encrypted, 'a')).toThrow(
    "encrypted with the key '2025', which SECRETS_ENCRYPTION_KEY does not list",
  )
})

test('rejects a text that was changed or belongs to another owner', () => {
  const envelope = createEnvelope([current])
  const encrypted = envelope.encrypt('text', 'a')
  expect(() => envelope.decrypt(encrypted, 'b')).toThrow("cannot be decrypted with the key '2026'")
  const changed = encrypted.slice(0, -4) + (encrypted.endsWith('AAAA') ? 'BBBB' : 'AAAA')
  expect(() => envelope.decrypt(changed, 'a')).toThrow('cannot be decrypted')
  expect(() => envelope.decrypt('flotilla:v1:2026', 'a')).toThrow('cannot be decrypted')
  expect(() => envelope.decrypt('text', 'a')).toThrow('not encrypted')
})

test('reads keys from a setting', () => {
  const encoded = current.key.toString('base64')
  expect(readEncryptionKeys(`2026:${encoded}, 2025:${old.key.toString('base64')}`)).toEqual([
    current,
    old,
  ])
})

test.each([
  ['', 'entry 1: expected id:key'],
  ['abc', 'entry 1: expected id:key'],
  ['a b:AAAA', 'entry 1: expected id:key'],
  ['a:c2hvcnQ=', "entry 1 ('a'): expected a key of 32 bytes in base64"],
  [`a:${'A'.repeat(43)}=,a:${'A'.repeat(43)}=`, 'entry 2 has the id of entry 1'],
])('rejects the keys %j without repeating them', (text, message) => {
  expect(() => readEncryptionKeys(text)).toThrow(message)
  expect(() => readEncryptionKeys(text)).not.toThrow('AAAA')
})
