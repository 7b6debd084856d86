import { expect, test } from 'vitest'
import { evidenceOf, suiteRows } from './suite-results.ts'

const E2E = {
  passed: {
    e2e: { applicable: 3, kubernetes: 3, planes: 2 },
    Conformance: { applicable: 1, kubernetes: null, planes: 1 },
  },
  others: { specs: { 'D1: need pods': 2, 'D1: need nodes': 1, 'D2: differ': 1, 'suite: skip': 1 } },
}
const COMMANDS = {
  passed: { 'test/cmd': { applicable: 9, kubernetes: 9, planes: 9 } },
  others: { assertions: { 'D1: need pods': 4 }, functions: { 'D1: need nodes': 5 } },
}

test('has a row for each count', () => {
  expect(suiteRows({ '1.35': { e2e: E2E, 'test/cmd': COMMANDS } })).toEqual([
    ['1.35', 'e2e', '3', '3', '2'],
    ['1.35', 'Conformance', '1', '', '1'],
    ['1.35', 'test/cmd', '9', '9', '9'],
  ])
})

test('adds the counts of all reasons with an id', () => {
  expect([...evidenceOf({ e2e: E2E, 'test/cmd': COMMANDS })]).toEqual([
    ['D1', '3 specs, 4 assertions, 5 functions'],
    ['D2', '1 spec'],
    ['suite', '1 spec'],
  ])
})
