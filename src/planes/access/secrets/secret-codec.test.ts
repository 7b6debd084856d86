import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createEnvelope } from '../../../lib/encryption/envelope.ts'
import { createSecretCodec } from './secret-codec.ts'

const key = { plane: 'root', resource: 'secrets', namespace: 'dev', name: 'tls' }
const body = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'tls',
    labels: { app: 'web' },
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":"c2VjcmV0"}' },
  },
  type: 'Opaque',
  data: { password: 'c2VjcmV0' },
}

const codec = createSecretCodec(createEnvelope([{ id: '2026', key: randomBytes(32) }]))

test('the stored form of a secret shows neither its data nor its annotations', () => {
  const stored = codec.encode(key, body)
  expect(JSON.stringify(stored)).not.toContain('c2VjcmV0')
  expect(stored).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'tls', labels: { app: 'web' } },
    type: 'Opaque',
    encrypted: expect.stringMatching(/^flotilla:v1:2026:/),
  })
  expect(codec.decode(key, stored)).toEqual(body)
})

test('a secret without data and annotations stays the same', () => {
  const empty = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'tls' } }
  expect(codec.decode(key, codec.encode(key, empty))).toEqual(empty)
})

test('reads secrets that were stored before encryption was turned on', () => {
  expect(codec.decode(key, body)).toBe(body)
})

test('a ciphertext of another secret is rejected', () => {
  const stored = codec.encode(key, body)
  expect(() => codec.decode({ ...key, name: 'other' }, stored)).toThrow('cannot be decrypted')
})

test('without a key, secrets are stored as they are, and encrypted ones name the setting', () => {
  const plain = createSecretCodec(null)
  expect(plain.encode(key, body)).toBe(body)
  expect(() => plain.decode(key, codec.encode(key, body))).toThrow('set SECRETS_ENCRYPTION_KEY')
})
