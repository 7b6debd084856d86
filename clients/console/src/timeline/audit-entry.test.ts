import { expect, test } from 'vitest'
import type { AuditEvent } from '../../../typescript/src/index.ts'
import { auditEntry as entryOf } from './audit-entry.ts'

const auditEntry = (event: AuditEvent) => entryOf(event, ['clusters'])

const DELETED: AuditEvent = {
  time: '2026-01-01T00:00:00Z',
  id: '2E',
  level: 'Metadata',
  request_id: 'r',
  user: 'ada',
  groups: [],
  tenant: '',
  source_address: '192.0.2.1',
  user_agent: '',
  verb: 'delete',
  method: 'DELETE',
  path: '/api/hyperfleet/v1/clusters/2A',
  route: '',
  plane: '',
  api_group: '',
  resource: 'clusters',
  subresource: '',
  namespace: '',
  name: 'lisbon',
  resource_id: '2A',
  status: 202,
  outcome: 'succeeded',
  code: '',
  detail: '',
  duration_ms: 4,
}

test('says who deleted a resource, from where, with a link to its page', () => {
  expect(auditEntry(DELETED)).toMatchObject({
    who: 'ada',
    action: 'deleted',
    subject: { label: 'clusters lisbon', to: '/resources/clusters/2A' },
    note: 'from 192.0.2.1',
    details: [],
  })
})

test('has no link to objects without a page, such as webhooks', () => {
  expect(auditEntry({ ...DELETED, resource: 'webhooks', name: 'a' }).subject).toEqual({
    label: 'webhooks a',
    to: null,
  })
})

test('says what a denied request tried, and why it was denied', () => {
  const denied = { ...DELETED, outcome: 'denied', status: 403, detail: 'no right' } as const
  expect(auditEntry({ ...denied, impersonated_user: 'eve', subresource: 'status' })).toMatchObject({
    who: 'ada as eve',
    action: 'tried to delete',
    subject: { label: 'clusters lisbon', to: null },
    note: 'through status, from 192.0.2.1',
    details: ['403: no right'],
  })
})

test.each([
  ['/clusters/porto/control-plane/api/v1/namespaces/default/configmaps/a', '', 'core/v1'],
  ['/apis/apps/v1beta1/namespaces/default/configmaps/a', 'apps', 'apps/v1beta1'],
])('links to an object of a plane: %s', (path, group, kind) => {
  const place = { plane: '2B', namespace: 'default', name: 'a', resource: 'configmaps' }
  expect(auditEntry({ ...DELETED, ...place, path, api_group: group }).subject).toEqual({
    label: 'configmaps default/a in the plane 2B',
    to: `/planes/2B/${kind}/configmaps/default/a`,
  })
})

test('marks a gap in the log', () => {
  const gap = { ...DELETED, outcome: 'lost', resource: '', user: '', dropped: 3 } as const
  expect(auditEntry(gap)).toMatchObject({
    action: 'The audit log lacks 3 events here',
    subject: null,
  })
})
