import { expect, test } from 'vitest'
import { UNBOUNDED } from '../../../access/principal.ts'
import { START, type TestClock, testClock } from '../fixtures.ts'
import { cacheTokens, type Verify } from './token-cache.ts'

interface Setting {
  readonly verify: Verify
  readonly verified: string[]
  readonly clock: TestClock
  changeKeySet(): void
}

/** Every token except `bad` is valid for a minute. */
function caching(capacity: number): Setting {
  const clock = testClock()
  const verified: string[] = []
  let keySet = 0
  const verify: Verify = (token) => {
    verified.push(token)
    if (token === 'bad') return Promise.reject(new Error('a bad token'))
    const verifiedWith = keySet
    const expiresAt = START + 60_000
    return Promise.resolve({
      principal: {
        user: token,
        groups: [],
        issuer: null,
        keyId: null,
        expiresAt,
        bounds: UNBOUNDED,
        isRevoked: () => false,
      },
      expiresAt,
      isCurrent: () => keySet === verifiedWith,
    })
  }
  return {
    verify: cacheTokens(verify, { capacity, clock }),
    verified,
    clock,
    changeKeySet: () => {
      keySet += 1
    },
  }
}

test('verifies a token once', async () => {
  const { verify, verified } = caching(2)
  expect(await verify('a')).toMatchObject({ principal: { user: 'a' } })
  expect(await verify('a')).toMatchObject({ principal: { user: 'a' } })
  expect(verified).toEqual(['a'])
})

test('verifies a token again after it has expired', async () => {
  const { verify, verified, clock } = caching(2)
  await verify('a')
  clock.advance(59)
  await verify('a')
  expect(verified).toEqual(['a'])
  clock.advance(1)
  await verify('a')
  expect(verified).toEqual(['a', 'a'])
})

test('verifies a token again after the key set has changed', async () => {
  const { verify, verified, changeKeySet } = caching(2)
  await verify('a')
  changeKeySet()
  await verify('a')
  await verify('a')
  expect(verified).toEqual(['a', 'a'])
})

test('evicts the least recently used token', async () => {
  const { verify, verified } = caching(2)
  for (const token of ['a', 'b', 'a', 'c']) await verify(token)
  expect(verified).toEqual(['a', 'b', 'c'])
  await verify('a')
  expect(verified).toEqual(['a', 'b', 'c'])
  await verify('b')
  expect(verified).toEqual(['a', 'b', 'c', 'b'])
})

test('does not cache failures', async () => {
  const { verify, verified } = caching(2)
  await expect(verify('bad')).rejects.toThrow('a bad token')
  await expect(verify('bad')).rejects.toThrow('a bad token')
  expect(verified).toEqual(['bad', 'bad'])
})
