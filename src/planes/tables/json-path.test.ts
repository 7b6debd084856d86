import { describe, expect, it } from 'vitest'
import { evaluateJsonPath } from './evaluate-json-path.ts'
import { parseJsonPath } from './parse-json-path.ts'

const OBJECT = {
  metadata: { name: 'web', annotations: { 'example.com/a': 'x' }, labels: {} },
  spec: { replicas: 3, 'odd.key': 1, list: ['a', 'b', 'c'] },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', count: 2 },
      { type: 'Synced', status: 'False' },
    ],
  },
}

function results(path: string) {
  const parsed = parseJsonPath(path)
  return parsed === null ? null : evaluateJsonPath(parsed, OBJECT)
}

describe('R14: JSONPath of printer columns', () => {
  it.each([
    ['.spec.replicas', [3]],
    ['$.spec.replicas', [3]],
    ['.spec.list[0]', ['a']],
    ['.spec.list[-1]', ['c']],
    ['.spec.list[7]', []],
    ['.spec.list[0:2]', ['a', 'b']],
    ['.spec.list[1:]', ['b', 'c']],
    ['.spec.list[*]', ['a', 'b', 'c']],
    ['.spec.odd\\.key', [1]],
    ["['spec']['odd.key']", [1]],
    ['.metadata.annotations.example\\.com/a', ['x']],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    ["..conditions[?(@.type == 'Synced')].status", ['False']],
    ['.status.conditions[?(@.count)].type', ['Ready']],
    ['.status.conditions[?(@.count>1)].type', ['Ready']],
    ['.status.conditions[?(@.type!="Ready")].type', ['Synced']],
    ['.status.conditions[*].type', ['Ready', 'Synced']],
    ['.status.*[0].type', ['Ready']],
    ['..type', ['Ready', 'Synced']],
    ['.constructor', []],
    ['.spec.list.length', []],
  ])('R14: finds %s', (path, expected) => {
    expect(results(path)).toEqual(expected)
  })

  it.each([
    'spec',
    '.spec[',
    '.a b',
    '.list[0,1]',
    '.list[?(@.a=~"x")]',
    '{.spec}',
    ''.padEnd(400, '.a'),
  ])('R14: does not support %j', (path) => {
    expect(parseJsonPath(path)).toBeNull()
  })

  it('R14: a path that visits too many values has no result', () => {
    const wide = { list: Array.from({ length: 10_000 }, (_, index) => ({ index })) }
    const path = parseJsonPath('..index')
    expect(path && evaluateJsonPath(path, wide)).toEqual([])
    const filters = parseJsonPath(`.list${'[?(@..index==1)]'.repeat(3)}`)
    expect(filters && evaluateJsonPath(filters, wide)).toEqual([])
  })
})
