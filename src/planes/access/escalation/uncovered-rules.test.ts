import { expect, test } from 'vitest'
import type { JsonObject } from '../../../lib/json/json.ts'
import { policyRulesOf } from '../rbac/policy-rule.ts'
import { describeRules } from './describe-rules.ts'
import { uncoveredRules } from './uncovered-rules.ts'

function missing(owned: JsonObject[], granted: JsonObject[]): string {
  return describeRules(uncoveredRules(policyRulesOf(owned), policyRulesOf(granted)) ?? [])
}

const maps = { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }

test('R32: a rule is covered by several rules together', () => {
  const owned = [
    { apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: ['get'] },
    { apiGroups: ['', 'apps'], resources: ['configmaps'], verbs: ['list'] },
  ]
  expect(missing(owned, [maps])).toBe('')
})

test('R32: the uncovered parts name resource and verbs', () => {
  const granted = { apiGroups: [''], resources: ['configmaps', 'pods'], verbs: ['get', 'delete'] }
  expect(missing([maps], [granted, { nonResourceURLs: ['/metrics'], verbs: ['get'] }])).toBe(
    [
      '{APIGroups:[""], Resources:["configmaps"], Verbs:["delete"]}',
      '{APIGroups:[""], Resources:["pods"], Verbs:["get" "delete"]}',
      '{NonResourceURLs:["/metrics"], Verbs:["get"]}',
    ].join('\n'),
  )
})

test.each<[JsonObject, JsonObject, boolean]>([
  [{ ...maps, verbs: ['*'] }, maps, true],
  [maps, { ...maps, verbs: ['*'] }, false],
  [{ ...maps, resources: ['*'] }, { ...maps, resources: ['pods/log'] }, true],
  [{ ...maps, resources: ['*/log'] }, { ...maps, resources: ['pods/log'] }, true],
  [{ ...maps, resources: ['*/log'] }, { ...maps, resources: ['pods'] }, false],
  [maps, { ...maps, resourceNames: ['a'] }, true],
  [{ ...maps, resourceNames: ['a'] }, maps, false],
  [{ ...maps, resourceNames: ['a', 'b'] }, { ...maps, resourceNames: ['b'] }, true],
  [
    { nonResourceURLs: ['/api/*'], verbs: ['get'] },
    { nonResourceURLs: ['/api/v1/*'], verbs: ['get'] },
    true,
  ],
  [
    { nonResourceURLs: ['/api/v1'], verbs: ['get'] },
    { nonResourceURLs: ['/api/*'], verbs: ['get'] },
    false,
  ],
])('R32: %j covers %j: %s', (owned, granted, expected) => {
  expect(missing([owned], [granted]) === '').toBe(expected)
})

test('R32: rules with too many parts are not compared', () => {
  const many = Array.from({ length: 3000 }, (_, index) => `x${index}`)
  const granted = [{ apiGroups: many, resources: many, verbs: many }]
  expect(uncoveredRules(policyRulesOf([maps]), policyRulesOf(granted))).toBe(null)
  const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]
  expect(uncoveredRules(policyRulesOf(everything), policyRulesOf(granted))).toEqual([])
})

test('R32: a message lists a limited number of rules', () => {
  const many = Array.from({ length: 60 }, (_, index) => `r${index}`)
  const lines = missing([], [{ ...maps, resources: many }]).split('\n')
  expect(lines).toHaveLength(51)
  expect(lines.at(-1)).toBe('and 10 more')
})
