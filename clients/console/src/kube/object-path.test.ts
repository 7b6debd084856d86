import { expect, it } from 'vitest'
import { listPath, objectPath, planePath } from './object-path.ts'

const secrets = { group: '', version: 'v1', plural: 'secrets' }
const widgets = { group: 'example.com', version: 'v2', plural: 'widgets' }

it('addresses lists of the core group and of other groups', () => {
  expect(listPath(secrets)).toBe('/api/v1/secrets')
  expect(listPath(widgets, 'team')).toBe('/apis/example.com/v2/namespaces/team/widgets')
})

it('addresses objects and subresources, and encodes their names', () => {
  expect(objectPath(secrets, { namespace: 'team', name: 'a/b' })).toBe(
    '/api/v1/namespaces/team/secrets/a%2Fb',
  )
  expect(objectPath(widgets, { namespace: '', name: 'a' }, 'status')).toBe(
    '/apis/example.com/v2/widgets/a/status',
  )
})

it('addresses a plane by the name of its cluster', () => {
  expect(planePath('root', '/version')).toBe('/clusters/root/control-plane/version')
})
