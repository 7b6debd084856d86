import { expect, test } from 'vitest'
import { accessDenied, describeDenial } from './denial.ts'
import { operation, userNamed } from './rbac/fixtures.ts'

test('R32: a denial is 403 and names user, resource and namespace', () => {
  const attributes = operation(userNamed('ada'), 'list configmaps', { namespace: 'dev' })
  expect(accessDenied(attributes, describeDenial(attributes))).toMatchObject({
    code: 403,
    statusReason: 'Forbidden',
    message:
      'configmaps is forbidden: User "ada" cannot list resource "configmaps" in API group "" in the namespace "dev"',
    details: { group: '', kind: 'configmaps' },
  })
})

test('R32: a denial of a path names the path', () => {
  const attributes = operation(userNamed('ada'), 'get /version')
  expect(accessDenied(attributes, describeDenial(attributes))).toMatchObject({
    code: 403,
    message: 'forbidden: User "ada" cannot get path "/version"',
  })
})

test('R32: a denial with another reason names the operation first', () => {
  const attributes = operation(userNamed('ada'), 'get /version')
  expect(accessDenied(attributes, 'closed on Sundays').message).toBe(
    'forbidden: User "ada" cannot get path "/version": closed on Sundays',
  )
  expect(accessDenied(attributes, '').message).toBe(
    'forbidden: User "ada" cannot get path "/version"',
  )
})
