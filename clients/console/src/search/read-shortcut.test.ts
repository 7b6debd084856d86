import { expect, it } from 'vitest'
import { readShortcut } from './read-shortcut.ts'

const items = [{ label: 'Clusters', to: '/resources/clusters', icon: 'cluster', key: 'c' }] as const
const pressed = (key: string, situation = {}) => ({
  key,
  hasCommand: false,
  hasAlt: false,
  isTyping: false,
  isAfterPrefix: false,
  ...situation,
})

it('opens the palette with Ctrl-K and Cmd-K, also while the user types', () => {
  const key = pressed('k', { hasCommand: true, isTyping: true })
  expect(readShortcut(key, items)).toEqual({ type: 'palette' })
})

it('goes to a page with two keys', () => {
  expect(readShortcut(pressed('g'), items)).toEqual({ type: 'prefix' })
  const second = pressed('c', { isAfterPrefix: true })
  expect(readShortcut(second, items)).toEqual({ type: 'go', to: '/resources/clusters' })
  expect(readShortcut(pressed('c'), items)).toEqual({ type: 'none' })
})

it('leaves keys to fields and dialogs', () => {
  for (const key of ['g', '?', '/']) {
    expect(readShortcut(pressed(key, { isTyping: true }), items)).toEqual({ type: 'none' })
  }
})

it('opens help and search', () => {
  expect(readShortcut(pressed('?'), items)).toEqual({ type: 'help' })
  expect(readShortcut(pressed('/'), items)).toEqual({ type: 'search' })
})
