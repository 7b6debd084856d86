import { describe, expect, it } from 'vitest'
import { ConfigError } from '../lib/settings/config-error.ts'
import { formerNames } from '../lib/settings/former-settings.ts'
import { readConfig, SETTINGS, settingsOf, settingWarnings } from './settings.ts'
import { sharedSettings } from './shared-settings.ts'

describe('a retired setting', () => {
  it('still has effect, with a warning', () => {
    const env = { OUTGOING_WEBHOOK_LIMIT: '7' }
    expect(readConfig([], env).outgoingWebhookLimit).toBe(7)
    expect(settingWarnings([], env)).toEqual([
      'OUTGOING_WEBHOOK_LIMIT is retired, and the next version ignores it: without it, a tenant may have 100 webhooks',
    ])
  })

  it('is compared by servers that must share its value', () => {
    const shared = (env: NodeJS.ProcessEnv) => sharedSettings(readConfig([], env))
    expect(shared({ BULK_BODY_LIMIT_BYTES: '2048' })).toMatchObject({ BULK_BODY_LIMIT_BYTES: 2048 })
    expect(shared({ BODY_LIMIT_BYTES: '1024' })).toMatchObject({
      BULK_BODY_LIMIT_BYTES: 16_777_216,
    })
  })

  it('keeps its bounds', () => {
    const read = () => readConfig([], { WATCH_TOTAL_BUFFER_BYTES: '1024' })
    expect(read).toThrow('WATCH_TOTAL_BUFFER_BYTES: expected an integer from 16777216')
  })

  it('has no warning if it is empty', () => {
    const env = { OUTGOING_WEBHOOK_LIMIT: '' }
    expect(readConfig([], env)).toEqual(readConfig([], {}))
    expect(settingWarnings([], env)).toEqual([])
  })

  it('is rejected with the name if its value is invalid', () => {
    const read = () => readConfig([], { OUTGOING_WEBHOOK_LIMIT: 'many', PORT: 'x' })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(
      "OUTGOING_WEBHOOK_LIMIT: expected an integer from 1 to 10000, found 'many'",
    )
    expect(read).toThrow('PORT')
  })

  it('is neither a setting nor a misspelt one', () => {
    const settings = new Set(settingsOf([]).map(({ env }) => env))
    const retired = formerNames(Object.values(SETTINGS))
    expect(retired.filter((env) => settings.has(env))).toEqual([])
    expect(new Set(retired).size).toBe(retired.length)
    const all = Object.fromEntries(retired.map((env) => [env, 'x']))
    expect(settingWarnings([], all).filter((line) => line.includes('did you mean'))).toEqual([])
  })
})

describe('a derived value', () => {
  it('follows from its setting', () => {
    const env = {
      STATEMENT_TIMEOUT_MS: '3000',
      DATABASE_OPTIONS: 'pool-size=50',
      CACHE_BYTES: '400',
    }
    expect(readConfig([], env)).toMatchObject({
      databaseConnectTimeoutMs: 1500,
      searchWaitMs: 1500,
      shardResponseTimeoutMs: 6000,
      searchSlots: 20,
      readCacheBytes: 100,
      planeCacheBytes: 100,
      snapshotCacheBytes: 200,
    })
  })

  it('has the default of the setting that it replaces', () => {
    expect(readConfig([], {})).toMatchObject({
      databaseConnectTimeoutMs: 5000,
      searchWaitMs: 5000,
      shardResponseTimeoutMs: 20_000,
      searchSlots: 8,
      readCacheBytes: 134_217_728,
      snapshotCacheBytes: 268_435_456,
      planeFeedRetention: 3600,
      planeFeedRetentionChanges: 100_000,
      planeWatchMinTimeout: 1800,
      bulkBodyLimitBytes: 16_777_216,
    })
  })
})
