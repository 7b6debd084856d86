import { expect, test } from 'vitest'
import { createDraftStore } from './draft-store.ts'

const DRAFT = { text: 'spec: {}', tag: '"a.1"', base: { spec: {} }, savedAt: 1 }

function memory(entries: Map<string, string>): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  return {
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  }
}

test('returns a draft until it is removed', () => {
  const drafts = createDraftStore(memory(new Map()))
  expect(drafts.write('Cluster.a', DRAFT)).toBe(true)
  expect(drafts.read('Cluster.a')).toEqual(DRAFT)
  drafts.remove('Cluster.a')
  expect(drafts.read('Cluster.a')).toBeNull()
})

test.each(['{', 'null', '{"text": 1}', '{"text": "", "tag": "", "base": [], "savedAt": 1}'])(
  'ignores the unreadable draft %s',
  (stored) => {
    const drafts = createDraftStore(memory(new Map([['flotilla.draft.x', stored]])))
    expect(drafts.read('x')).toBeNull()
  },
)

test('reports a storage that is full', () => {
  const full = () => {
    throw new Error('QuotaExceededError')
  }
  const drafts = createDraftStore({ getItem: full, setItem: full, removeItem: full })
  expect(drafts.write('x', DRAFT)).toBe(false)
  expect(drafts.read('x')).toBeNull()
})
