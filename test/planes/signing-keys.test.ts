import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSigningKeys } from '../../src/planes/access/tokens/signing-keys.ts'
import type { Database } from '../../src/store/database/database.ts'
import { readSigningKeys } from '../../src/store/signing-keys/read-signing-keys.ts'
import { rotateSigningKeys } from '../../src/store/signing-keys/rotate-signing-keys.ts'
import { createEnvelope } from '../../src/lib/encryption/envelope.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

let owner: TestDatabase
let database: Database

beforeAll(async () => {
  owner = await createTestDatabase()
  database = openTestDatabase(owner.url)
})

afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await owner[Symbol.asyncDispose]()
})

const envelope = createEnvelope([{ id: '2026', key: randomBytes(32) }])
const maxTokenAge = 3600

const server = (key: typeof envelope | null = envelope) =>
  createSigningKeys({ database, envelope: key, clock: () => new Date(), maxTokenAge })

test('R35: servers that start together agree on one key, which is stored encrypted', async () => {
  const servers = Array.from({ length: 4 }, () => server())
  const keys = await Promise.all(servers.map((one) => one.current()))
  expect(new Set(keys.map(({ id }) => id)).size).toBe(1)
  const stored = await readSigningKeys(database)
  expect(stored).toHaveLength(1)
  expect(stored[0]?.privateKey).toMatch(/^flotilla:v1:2026:/)
  expect(stored[0]?.privateKey).not.toContain('PRIVATE KEY')
})

test('R35: a server without the encryption key reports the setting', async () => {
  await expect(server(null).current()).rejects.toThrow('set SECRETS_ENCRYPTION_KEY')
})

test('R35: a server finds a key that another server has added', async () => {
  let now = Date.now()
  const first = createSigningKeys({
    database,
    envelope,
    clock: () => new Date(now),
    maxTokenAge,
  })
  const old = await first.current()
  const rotation = { id: 'next', privateKey: '', interval: 0, retention: maxTokenAge }
  const pem = old.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  expect(await rotateSigningKeys(database, { ...rotation, privateKey: pem })).toBe(true)
  expect(await first.find('next')).toBe(null)
  now += 2000
  expect(await first.find('next')).toMatchObject({ id: 'next' })
  expect(await first.find(old.id)).toMatchObject({ id: old.id })
  expect(await first.current()).toMatchObject({ id: 'next' })
})

test('R35: a key is removed when its last token has expired', async () => {
  const before = await readSigningKeys(database)
  expect(before).toHaveLength(2)
  const rotation = { id: 'unused', privateKey: '', interval: 3600, retention: 0 }
  expect(await rotateSigningKeys(database, rotation)).toBe(false)
  expect(await readSigningKeys(database)).toEqual(before.slice(0, 1))
})
