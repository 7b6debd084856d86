import { expect, it } from 'vitest'
import { objectParams, readKindParams, readNamespace } from './plane-address.ts'

it('gives the core group and absent namespaces a segment, and reads it back', () => {
  const kind = { group: '', version: 'v1', plural: 'namespaces' }
  const params = objectParams('root', kind, { name: 'team' })
  expect(Object.values(params).every((segment) => segment !== '')).toBe(true)
  expect(readKindParams(params)).toEqual(kind)
  expect(readNamespace(params.namespace)).toBe('')
})

it('keeps other groups and namespaces', () => {
  const kind = { group: 'example.com', version: 'v2', plural: 'widgets' }
  const params = objectParams('evora', kind, { namespace: 'team', name: 'a' })
  expect(readKindParams(params)).toEqual(kind)
  expect(readNamespace(params.namespace)).toBe('team')
})
