import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { Database } from '../../../store/database/database.ts'
import {
  readSigningKeys,
  type StoredSigningKey,
} from '../../../store/signing-keys/read-signing-keys.ts'
import { rotateSigningKeys } from '../../../store/signing-keys/rotate-signing-keys.ts'
import type { Clock } from '../../../lib/clock.ts'
import { type Envelope, isEncrypted } from '../../../lib/encryption/envelope.ts'
import { newId } from '../../../lib/ids.ts'
import { must } from '../../../lib/assert.ts'

/** A key pair of the server (ES256). */
export interface SigningKey {
  /** The `kid` of tokens. */
  readonly id: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** The keys that sign and verify the tokens of service accounts. All servers share them. */
export interface SigningKeys {
  /** The newest key. It is created before its first use and after each rotation interval. */
  current(): Promise<SigningKey>
  /** Null if no such key exists. */
  find(id: string): Promise<SigningKey | null>
  /** The keys whose tokens may still be valid, the newest first. */
  all(): Promise<readonly SigningKey[]>
}

interface Options {
  readonly database: Database
  /** Encrypts the stored private keys; null stores them as they are. */
  readonly envelope: Envelope | null
  readonly clock: Clock
  /** The longest validity of a token in seconds. */
  readonly maxTokenAge: number
}

const ROTATION_SECONDS = 90 * 86_400
/** Keys are read again after this time, so that removed ones no longer verify tokens. */
const REFRESH_MS = 5 * 60_000
/** The minimum time between two reads for unknown keys, so that forged ids cannot cause many. */
const COOLDOWN_MS = 1000

interface Loaded {
  readonly keys: readonly SigningKey[]
  readonly createdTime: Date | null
  readonly time: number
}

/** Reads the keys from the database when they are first needed. */
export function createSigningKeys(options: Options): SigningKeys {
  const { clock } = options
  let loaded: Loaded | null = null
  let loading: Promise<Loaded> | null = null

  function load(): Promise<Loaded> {
    loading ??= readKeys(options)
      .then((result) => {
        loaded = result
        return result
      })
      .finally(() => {
        loading = null
      })
    return loading
  }

  async function loadedWithin(ms: number): Promise<Loaded> {
    // The absolute value ends the wait if the clock was set back.
    if (loaded && Math.abs(clock().getTime() - loaded.time) < ms) return loaded
    return load()
  }

  return {
    current: async () => {
      let { keys, createdTime } = await loadedWithin(REFRESH_MS)
      const age = createdTime ? clock().getTime() - createdTime.getTime() : Infinity
      if (age >= ROTATION_SECONDS * 1000) {
        await addKey(options)
        ;({ keys, createdTime } = await load())
      }
      return must(keys[0], 'a signing key')
    },
    find: async (id) => {
      const found = (await loadedWithin(REFRESH_MS)).keys.find((key) => key.id === id)
      if (found) return found
      const { keys } = await loadedWithin(COOLDOWN_MS)
      return keys.find((key) => key.id === id) ?? null
    },
    all: async () => (await loadedWithin(REFRESH_MS)).keys,
  }
}

async function readKeys({ database, envelope, clock }: Options): Promise<Loaded> {
  const stored = await readSigningKeys(database)
  const keys = stored.map((key) => parseKey(key, envelope))
  return { keys, createdTime: stored[0]?.createdTime ?? null, time: clock().getTime() }
}

function parseKey(
  { id, privateKey: text }: StoredSigningKey,
  envelope: Envelope | null,
): SigningKey {
  const pem = isEncrypted(text) ? decrypt(text, id, envelope) : text
  const privateKey = createPrivateKey(pem)
  return { id, privateKey, publicKey: createPublicKey(privateKey) }
}

function decrypt(text: string, id: string, envelope: Envelope | null): string {
  if (envelope) return envelope.decrypt(text, contextOf(id))
  throw new Error('the signing keys are encrypted: set SECRETS_ENCRYPTION_KEY')
}

function contextOf(id: string): string {
  return `signing key ${id}`
}

async function addKey({ database, envelope, clock, maxTokenAge }: Options): Promise<void> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const id = newId(clock())
  await rotateSigningKeys(database, {
    id,
    privateKey: envelope ? envelope.encrypt(pem, contextOf(id)) : pem,
    interval: ROTATION_SECONDS,
    retention: maxTokenAge,
  })
}
