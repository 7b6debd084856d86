import { expect, test } from 'vitest'
import { operation, userNamed } from './fixtures.ts'
import { policyRulesOf } from './policy-rule.ts'
import { ruleAllows } from './rule-allows.ts'

const ada = userNamed('ada')

function allows(rule: Record<string, string[]>, text: string, name = ''): boolean {
  const [parsed] = policyRulesOf([rule])
  return parsed !== undefined && ruleAllows(parsed, operation(ada, text, { name }))
}

test.each([
  [['configmaps'], 'get configmaps', true],
  [['configmaps'], 'get secrets', false],
  [['pods'], 'get pods/log', false],
  [['pods/log'], 'get pods/log', true],
  [['pods/log'], 'get pods', false],
  [['*/scale'], 'get pods/scale', true],
  [['*/scale'], 'get pods', false],
  [['*/scale'], 'get pods/status', false],
  [['pods/*'], 'get pods/status', false],
  [['*'], 'get pods/status', true],
  [['*/'], 'get pods', false],
])('R32: a rule for %j decides about %j: %s', (resources, text, expected) => {
  expect(allows({ verbs: ['get'], apiGroups: [''], resources }, text)).toBe(expected)
})

test('R32: a rule lists verbs and API groups', () => {
  const rule = { verbs: ['get'], apiGroups: ['apps'], resources: ['deployments'] }
  expect(allows(rule, 'get deployments.apps')).toBe(true)
  expect(allows(rule, 'update deployments.apps')).toBe(false)
  expect(allows(rule, 'get deployments')).toBe(false)
  expect(allows({ ...rule, verbs: ['*'], apiGroups: ['*'] }, 'update deployments')).toBe(true)
})

test('R32: a rule with resource names never covers a collection', () => {
  const rule = { verbs: ['*'], apiGroups: [''], resources: ['secrets'], resourceNames: ['tls'] }
  expect(allows(rule, 'get secrets', 'tls')).toBe(true)
  expect(allows(rule, 'get secrets', 'other')).toBe(false)
  expect(allows(rule, 'list secrets')).toBe(false)
  expect(allows({ ...rule, resourceNames: [] }, 'list secrets')).toBe(true)
})

test.each([
  ['/version', '/version', true],
  ['/version', '/version/', false],
  ['/openapi/*', '/openapi/v3', true],
  ['/openapi/*', '/openapi', false],
  ['/apis*', '/apis', true],
  ['*', '/anything', true],
  ['/a/*/b', '/a/x/b', false],
])('R32: the URL %j matches the path %j: %s', (url, path, expected) => {
  expect(allows({ verbs: ['get'], nonResourceURLs: [url] }, `get ${path}`)).toBe(expected)
  expect(allows({ verbs: ['get'], nonResourceURLs: [url] }, `put ${path}`)).toBe(false)
})

test('R32: a rule for resources covers no path, and the reverse', () => {
  const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }
  expect(allows(everything, 'get /version')).toBe(false)
  expect(allows({ verbs: ['*'], nonResourceURLs: ['*'] }, 'get configmaps')).toBe(false)
})
