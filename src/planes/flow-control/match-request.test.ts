import { expect, test } from 'vitest'
import type { JsonObject } from '../../lib/json/json.ts'
import { indexRules, type MatchedRequest } from './match-request.ts'

const SCHEMAS = 500
const RULES = 20

function rule(subject: JsonObject, resource: string): JsonObject {
  return {
    subjects: [subject, subject],
    resourceRules: [{ verbs: ['list'], apiGroups: [''], resources: [resource], namespaces: ['*'] }],
  }
}

const user = (name: string) => ({ kind: 'User', user: { name } })
const group = (name: string) => ({ kind: 'Group', group: { name } })

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index)
}

const MANY = numbers(SCHEMAS).map((schema) =>
  numbers(RULES).map((index) => rule(user(`user-${schema}-${index}`), 'configmaps')),
)

/** The first list that matches a list of config maps, and the comparisons with rules. */
function found(lists: readonly (readonly JsonObject[])[], names: MatchedRequest['names']) {
  let comparisons = 0
  const first = indexRules(lists)({
    names,
    verb: 'list',
    path: '',
    get resource() {
      comparisons += 1
      return { group: '', name: 'configmaps', namespace: 'default' }
    },
  })
  return { first, comparisons }
}

test('a request is compared with the rules of its caller only', () => {
  // Each rule with subjects reads the resource twice.
  expect(found(MANY, { user: 'ada', groups: ['dev'] })).toEqual({ first: null, comparisons: 0 })
  const last = { user: `user-${SCHEMAS - 1}-${RULES - 1}`, groups: ['dev'] }
  expect(found(MANY, last)).toEqual({ first: SCHEMAS - 1, comparisons: 2 })
})

test('the first list wins, whichever of the names of the caller it has', () => {
  const lists = [
    [rule(group('*'), 'secrets')],
    [rule(user('eve'), 'secrets'), rule(group('dev'), 'configmaps')],
    [rule(user('eve'), 'configmaps')],
    [rule(user('*'), 'configmaps')],
    [rule(group('*'), 'configmaps')],
  ]
  const firstOf = (name: string, ...groups: readonly string[]) =>
    found(lists, { user: name, groups }).first
  expect(firstOf('eve', 'dev')).toBe(1)
  expect(firstOf('eve', 'ops')).toBe(2)
  expect(firstOf('ada')).toBe(3)
  expect(found(lists.toSpliced(3, 1), { user: 'ada', groups: ['ops'] }).first).toBe(3)
  expect(found(lists.toSpliced(3, 1), { user: 'ada', groups: [] }).first).toBeNull()
})
