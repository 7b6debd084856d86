import { expect, test } from 'vitest'
import { KubeError } from '../../errors/kube-error.ts'
import { resourceNotFound } from '../../http/resource-request.ts'
import { isResourceNotServed, resourceNotServed } from './api-failures.ts'

const notFound = (details: NonNullable<KubeError['details']>) =>
  new KubeError('not-found', 'not found', { code: 404, statusReason: 'NotFound', details })

test('a plane does not serve a resource, in this process or over HTTP', () => {
  const accounts = { group: '', version: 'v1', plural: 'serviceaccounts' }
  expect(isResourceNotServed(resourceNotServed(accounts))).toBe(true)
  expect(isResourceNotServed(resourceNotFound())).toBe(true)
})

test('a missing object and a removed plane are other failures', () => {
  expect(isResourceNotServed(notFound({ kind: 'configmaps', name: 'one' }))).toBe(false)
  expect(isResourceNotServed(notFound({ kind: 'clusters', group: '' }))).toBe(false)
  expect(isResourceNotServed(new Error('not found'))).toBe(false)
})
