import { describe, expect, test } from 'vitest'
import { must } from '../../lib/assert.ts'
import { createWriteTokens, parseWriteToken, type WriteToken } from './write-token.ts'

const EPOCH = '1f0c3a9e'

function parsed(text: string): WriteToken {
  return must(parseWriteToken(text), 'a write token')
}

describe('write tokens', () => {
  test.each(['', '1f0c3a9e.42', '1f0c3a9e.w1', 'w1.w2.3', '1f0c3a9e.w1f0c3a9e.0'])(
    'are not %j',
    (text) => {
      expect(parseWriteToken(text)).toBeNull()
    },
  )

  test('of another process are reached with a later one, and not with an earlier one', () => {
    const [own, other] = [createWriteTokens(), createWriteTokens()]
    const [first, second, third] = [1, 2, 3].map(() => parsed(other.issue(EPOCH)))
    const [a, b, c] = [must(first, '1'), must(second, '2'), must(third, '3')]
    expect(own.reachedRevision(b)).toBeNull()
    own.reached(own.newestWith(b), 7n)
    expect([a, b, c].map(own.reachedRevision)).toEqual([7n, 7n, null])
    own.reached(a, 3n)
    expect(own.reachedRevision(b)).toBe(7n)
    expect(own.reachedRevision({ ...a, epoch: '00000000' })).toBeNull()
  })

  test('of this process are reached together with all that were issued before', () => {
    const own = createWriteTokens()
    const [first, second] = [parsed(own.issue(EPOCH)), parsed(own.issue(EPOCH))]
    own.reached(own.newestWith(first), 5n)
    expect(own.reachedRevision(second)).toBe(5n)
    expect(own.reachedRevision(parsed(own.issue(EPOCH)))).toBeNull()
  })

  test('of a process that has not been used for long are dropped, and count as not reached', () => {
    const own = createWriteTokens()
    const others = Array.from({ length: 1001 }, () => parsed(createWriteTokens().issue(EPOCH)))
    for (const token of others) own.reached(token, 1n)
    expect(own.reachedRevision(must(others[0], 'the first'))).toBeNull()
    expect(own.reachedRevision(must(others.at(-1), 'the last'))).toBe(1n)
  })
})
