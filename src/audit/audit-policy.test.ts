import { expect, test } from 'vitest'
import type { AuditedOperation } from '../http/requests/audited-operation.ts'
import {
  auditLevelOf,
  DEFAULT_AUDIT_POLICY,
  deniedLevelOf,
  readAuditPolicy,
} from './audit-policy.ts'

const OPERATION: AuditedOperation = {
  user: 'ada',
  groups: ['platform'],
  verb: 'create',
  plane: '',
  group: '',
  resource: 'clusters',
  subresource: '',
  namespace: '',
  name: '',
  dryRun: false,
}

function levelOf(policy: string, operation: Partial<AuditedOperation> = {}) {
  return auditLevelOf(readAuditPolicy(policy), { ...OPERATION, ...operation })
}

test.each([
  [{}, 'Metadata'],
  [{ verb: 'get' }, 'None'],
  [{ verb: 'watch' }, 'None'],
  [{ subresource: 'statuses' }, 'None'],
  [{ resource: '', verb: 'post' }, 'Metadata'],
])('by default, %j has the level %s', (operation, level) => {
  expect(auditLevelOf(DEFAULT_AUDIT_POLICY, { ...OPERATION, ...operation })).toBe(level)
})

test.each([
  ['[{"level":"None"}]', {}, 'Metadata'],
  ['[{"level":"None"}]', { user: '' }, 'Metadata'],
  ['[{"level":"None","users":["ada"]}]', {}, 'Metadata'],
  ['[{"level":"None","users":[""]}]', { user: '' }, 'None'],
  ['[{"level":"None","users":["","ada"]}]', {}, 'Metadata'],
  ['[{"level":"None","users":[""],"verbs":["get"]}]', { user: '', verb: 'post' }, 'Metadata'],
  ['[{"level":"Metadata"},{"level":"None","users":[""]}]', { user: '' }, 'Metadata'],
])('with the policy %s, a denied request of %j has the level %s', (policy, operation, level) => {
  expect(deniedLevelOf(readAuditPolicy(policy), { ...OPERATION, ...operation })).toBe(level)
})

test('the first matching rule decides', () => {
  const policy = '[{"level":"None","users":["ada"]},{"level":"Request"}]'
  expect(levelOf(policy)).toBe('None')
  expect(levelOf(policy, { user: 'bob' })).toBe('Request')
  expect(levelOf('[]')).toBe('None')
})

test('a rule matches if all its lists do', () => {
  const policy =
    '[{"level":"Request","groups":["other","platform"],"verbs":["create"],"resources":["clusters"],"planes":[""]}]'
  expect(levelOf(policy)).toBe('Request')
  for (const other of [{ groups: [] }, { verb: 'delete' }, { resource: 'x' }, { plane: 'root' }]) {
    expect(levelOf(policy, other), JSON.stringify(other)).toBe('None')
  }
})

test('resources have the group, and a subresource that a rule must name', () => {
  const deployment = { resource: 'deployments', group: 'apps' }
  expect(levelOf('[{"level":"Request","resources":["deployments.apps"]}]', deployment)).toBe(
    'Request',
  )
  const status = { ...deployment, subresource: 'status' }
  expect(levelOf('[{"level":"Request","resources":["deployments.apps"]}]', status)).toBe('None')
  expect(levelOf('[{"level":"Request","resources":["*/status"]}]', status)).toBe('Request')
})

test.each([
  { resource: 'secrets' },
  { resource: 'secrets', subresource: 'status' },
  { resource: 'serviceaccounts', subresource: 'token' },
  { resource: 'tokenreviews', group: 'authentication.k8s.io' },
  { resource: 'webhooks' },
  { resource: 'audit' },
])('the bodies of %j are never recorded', (operation) => {
  expect(levelOf('[{"level":"RequestResponse"}]', operation)).toBe('Metadata')
})

test.each([
  ['{', 'expected a JSON array'],
  ['{}', 'expected a JSON array'],
  ['[1]', '[0] is not an object'],
  ['[{"level":"All"}]', '[0].level must be one of None'],
  ['[{"level":"None","verb":[]}]', "[0] has the unknown member 'verb'"],
  ['[{"level":"None","verbs":"get"}]', '[0].verbs is not an array'],
  ['[{"level":"None","verbs":[1]}]', '[0].verbs is not an array'],
])('the policy %s is rejected', (policy, message) => {
  expect(() => readAuditPolicy(policy)).toThrow(message)
})
