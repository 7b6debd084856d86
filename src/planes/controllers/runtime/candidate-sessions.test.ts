import { expect, it } from 'vitest'
import { candidateOf, hasHolderEnded, holderOf } from './candidate-sessions.ts'

const session = { name: '0123456789abcdef', ended: new AbortController().signal }

function sessions(...ended: readonly string[]) {
  return {
    current: () => Promise.resolve(null),
    hasEnded: (name: string) => Promise.resolve(ended.includes(name)),
  }
}

it('recognizes a candidate in every session', () => {
  expect(candidateOf(holderOf('web_1', null))).toBe('web_1')
  expect(candidateOf(holderOf('web_1', session))).toBe('web_1')
})

it('asks about the session that the holder names', async () => {
  const holder = holderOf('web_1', session)
  expect(await hasHolderEnded(holder, sessions(session.name))).toBe(true)
  expect(await hasHolderEnded(holder, sessions('fedcba9876543210'))).toBe(false)
  expect(await hasHolderEnded(holder, undefined)).toBe(false)
})

it.each(['web_1_6f9619ff-8b86-4d01-b42d-00cf4fc964ff', 'web_1_0123456789abcdef.77_6f9619ff'])(
  'never decides about %s, a holder of an older version',
  async (holder) => {
    const all = { ...sessions(), hasEnded: () => Promise.resolve(true) }
    expect(await hasHolderEnded(holder, all)).toBe(false)
  },
)
