import { expect, test } from 'vitest'
import { kinds } from '../../hyperfleet/kinds/index.ts'
import { readConfig } from '../settings.ts'
import { assignmentVariables } from './assignment.ts'

const ASSIGNMENT = {
  number: 1,
  role: 'api',
  workers: 3,
  databaseUrl: null,
  apiPort: 0,
  healthPort: 1,
  metricsPort: 2,
} as const

test('a worker has its part of what a server has once', () => {
  const env = { WATCHES: 'limit=900', RATE_LIMITS: 'reads=30', DATABASE_OPTIONS: 'pool-size=40' }
  const whole = readConfig(kinds, { ...env, CACHE_BYTES: '4000' })
  const part = readConfig(kinds, {
    ...env,
    CACHE_BYTES: '4000',
    ...assignmentVariables(ASSIGNMENT),
  })
  expect([whole.watchLimit, part.watchLimit]).toEqual([900, 300])
  expect([whole.rateLimitReads, part.rateLimitReads]).toEqual([30, 10])
  // One more process works in the background.
  expect([whole.databasePoolSize, part.databasePoolSize]).toEqual([40, 10])
  expect([whole.readCacheBytes, part.readCacheBytes]).toEqual([1000, 250])
  expect(part.watchTotalBufferBytes).toBe(Math.floor(whole.watchTotalBufferBytes / 3))
})

test('a limit that is off stays off, and a small one is at least 2', () => {
  const env = {
    CACHE_BYTES: '0',
    DATABASE_OPTIONS: 'pool-size=2',
    ...assignmentVariables(ASSIGNMENT),
  }
  const { cacheBytes, databasePoolSize, rateLimitWrites } = readConfig(kinds, env)
  expect([cacheBytes, databasePoolSize, rateLimitWrites]).toEqual([0, 2, 0])
})
