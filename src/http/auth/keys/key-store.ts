import type { Clock } from '../../../lib/clock.ts'
import { errorMessage } from '../../../lib/error-message.ts'
import type { Log } from '../../../lib/log/log.ts'
import { SettingError } from '../../../lib/setting-error.ts'
import { keyReader, type ReadKeys } from './key-reader.ts'
import type { KeySet } from './key-set.ts'
import type { KeySource } from '../../../access/key-source.ts'

const REFRESH_INTERVAL_MS = 5 * 60_000
/** Minimum time between two refreshes, so that forged key ids cannot flood the source. */
const COOLDOWN_MS = 10_000
/** The same while no key set is loaded and every request fails. */
const COOLDOWN_WITHOUT_KEYS_MS = 1000

/** The current key set of an issuer, refreshed regularly. */
export interface KeyStore extends AsyncDisposable {
  /** Null until a key set has been read. */
  current(): KeySet | null
  /**
   * Reads the source again unless a recent refresh did. Concurrent callers share one read. Resolves
   * to the current key set, which is the old one if the source fails.
   */
  refresh(): Promise<KeySet | null>
}

interface Options {
  readonly clock: Clock
  readonly log: Log
}

/**
 * Reads the source before it returns, then every five minutes. A failure is logged, and the old
 * keys remain. Throws only if a required source has no keys at startup.
 */
export async function createKeyStore(
  source: KeySource,
  { clock, log }: Options,
): Promise<KeyStore> {
  const readKeys = keyReader(source, log)
  const closing = new AbortController()
  let current = source.required ? await requireKeys(source, readKeys) : null
  let reading: Promise<void> | null = null
  let refreshedAt = -Infinity

  async function read(trigger: 'token' | 'timer'): Promise<void> {
    try {
      current = await readKeys(closing.signal)
    } catch (error) {
      if (closing.signal.aborted) return
      const keys = current ? 'the old keys remain' : 'no keys are loaded'
      log.warn({ err: error, source: source.name }, `reading the key set failed: ${keys}`)
    } finally {
      reading = null
      if (trigger === 'token') refreshedAt = clock().getTime()
    }
  }

  async function refresh(): Promise<KeySet | null> {
    const cooldown = current ? COOLDOWN_MS : COOLDOWN_WITHOUT_KEYS_MS
    // The absolute value ends the wait if the clock was set back.
    const elapsed = Math.abs(clock().getTime() - refreshedAt)
    if (!reading && elapsed >= cooldown) reading = read('token')
    await reading
    return current
  }

  if (!current) await read('timer')
  const timer = setInterval(() => void (reading ??= read('timer')), REFRESH_INTERVAL_MS).unref()
  return {
    current: () => current,
    refresh,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      closing.abort()
      await reading
    },
  }
}

async function requireKeys({ name }: KeySource, readKeys: ReadKeys): Promise<KeySet> {
  let keys: KeySet
  try {
    keys = await readKeys(new AbortController().signal)
  } catch (error) {
    throw new SettingError(`${name}: cannot read the key set: ${errorMessage(error)}`, {
      cause: error,
    })
  }
  if (keys.length > 0) return keys
  throw new SettingError(`${name}: the key set has no key that verifies RS256 or ES256`)
}
