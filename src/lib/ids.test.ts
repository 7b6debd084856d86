import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from './ids.ts'

const FIRST_TIME = 0
const LAST_TIME = 2 ** 48 - 1
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** An ID of former versions: 26 base62 characters encode 48 bits of time and 106 random bits. */
function formerId(time: number, random: bigint): string {
  let rest = (BigInt(time) << 106n) | random
  let digits = ''
  while (digits.length < 26) {
    digits = BASE62.charAt(Number(rest % 62n)) + digits
    rest /= 62n
  }
  return `2${digits}`
}

const times = fc.integer({ min: FIRST_TIME, max: LAST_TIME })

it('consists of a 2 and 26 lower-case letters and digits', () => {
  fc.assert(
    fc.property(times, (time) => {
      expect(newId(new Date(time))).toMatch(/^2[0-9a-z]{26}$/)
    }),
  )
})

it('sorts by the millisecond of creation in ASCII order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(times, { minLength: 2 }), (unsorted) => {
      const ids = unsorted.toSorted((a, b) => a - b).map((time) => newId(new Date(time)))
      expect(ids.toSorted()).toEqual(ids)
    }),
  )
})

it('sorts after every ID of former versions, whatever their clocks were', () => {
  const last = formerId(LAST_TIME, (1n << 106n) - 1n)
  expect(newId(new Date(FIRST_TIME)) > last).toBe(true)
  const randoms = fc.bigInt({ min: 0n, max: (1n << 106n) - 1n })
  fc.assert(
    fc.property(times, randoms, times, (former, random, time) => {
      expect(newId(new Date(time)) > formerId(former, random)).toBe(true)
    }),
  )
})

it('does not repeat within a millisecond', () => {
  const now = new Date()
  expect(new Set(Array.from({ length: 10_000 }, () => newId(now))).size).toBe(10_000)
})

it('has at least 80 random bits', () => {
  const now = new Date()
  const ids = Array.from({ length: 1_000 }, () => valueOf(newId(now)))
  const bits = Array.from({ length: 80 }, (_, bit) => 1n << BigInt(bit))
  for (const bit of bits) {
    expect(new Set(ids.map((id) => id & bit)).size).toBe(2)
  }
})

describe('names that adapters build from IDs are labels of RFC 1123', () => {
  const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

  it.each([
    ['{id}'],
    ['cluster-{id}'],
    ['{id}-config'],
    ['{id}-k8s'],
    ['cluster-credentials-{id}'],
  ])('%s', (template) => {
    fc.assert(
      fc.property(times, (time) => {
        expect(template.replace('{id}', newId(new Date(time)))).toMatch(LABEL)
      }),
    )
  })
})

/** The number that an ID encodes. */
function valueOf(id: string): bigint {
  return Array.from(id.slice(1)).reduce(
    (value, digit) => value * 36n + BigInt(Number.parseInt(digit, 36)),
    0n,
  )
}
