import { expect, test } from 'vitest'
import { type AccessRule, isAllowed, type Operation } from './access-rules.ts'

const GROUP = 'hyperfleet.io'
const READER: AccessRule = { verbs: ['get', 'list'], apiGroups: [GROUP], resources: ['*'] }
const WRITES_ONE: AccessRule = {
  verbs: ['patch'],
  apiGroups: [GROUP],
  resources: ['clusters'],
  resourceNames: ['lisbon'],
}
const SCALES: AccessRule = { verbs: ['update'], apiGroups: ['*'], resources: ['*/scale'] }

function on(verb: string, resource: string, names?: readonly string[]): Operation {
  return { verb, group: GROUP, resource, ...(names !== undefined && { names }) }
}

test('a rule allows its verbs on its resources', () => {
  expect(isAllowed([READER], on('list', 'clusters'))).toBe(true)
  expect(isAllowed([READER], on('patch', 'clusters'))).toBe(false)
  expect(isAllowed([READER], { ...on('list', 'fleets'), group: 'kplane.dev' })).toBe(false)
  expect(isAllowed([{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }], on('x', 'y'))).toBe(true)
})

test('a rule with names allows only these objects', () => {
  expect(isAllowed([WRITES_ONE], on('patch', 'clusters', ['2A', 'lisbon']))).toBe(true)
  expect(isAllowed([WRITES_ONE], on('patch', 'clusters', ['2B', 'porto']))).toBe(false)
  expect(isAllowed([WRITES_ONE], on('patch', 'clusters'))).toBe(false)
})

test('a subresource needs its own permission', () => {
  expect(isAllowed([SCALES], on('update', 'fleets/scale'))).toBe(true)
  expect(isAllowed([SCALES], on('update', 'fleets/status'))).toBe(false)
  expect(isAllowed([WRITES_ONE], on('patch', 'clusters/status', ['lisbon']))).toBe(false)
})
