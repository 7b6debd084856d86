import { expect, it } from 'vitest'
import { cellTone } from './cell-tone.ts'

it('gives values of state columns a meaning', () => {
  expect(cellTone('Ready', 'True')).toBe('good')
  expect(cellTone('READY', 'False')).toBe('warn')
  expect(cellTone('Phase', 'Failed')).toBe('bad')
})

it('leaves ordinary values alone', () => {
  expect(cellTone('Name', 'Failed')).toBeNull()
  expect(cellTone('Ready', 3)).toBeNull()
  expect(cellTone('Type', 'Opaque')).toBeNull()
})
