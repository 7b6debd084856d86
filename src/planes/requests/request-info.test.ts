import { expect, test } from 'vitest'
import { must } from '../../lib/assert.ts'
import { resourcePathOf, verbOf } from './request-info.ts'

test('R16: HEAD never opens a watch', () => {
  const maps = must(resourcePathOf('/api/v1/configmaps'), 'a resource')
  expect(verbOf('GET', maps, { isWatch: true, isList: false })).toBe('watch')
  expect(verbOf('HEAD', maps, { isWatch: true, isList: false })).toBe('list')
})
