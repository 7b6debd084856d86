import { expect, it } from 'vitest'
import { compareAssertions, type LineResult, UNSERVED } from './compare-assertions.ts'

const SUITE: Readonly<Record<string, string>> = {
  'get.sh:1': '  kube::test::get_object_assert namespaces',
  'get.sh:2': '  kubectl create -f pod.yaml',
  'get.sh:3': '  kube::test::if_has_string "${output}" pod',
}
const SUITE_OPTIONS = (notApplicable: readonly number[]) => ({
  notApplicable: { 'D1: pods': { 'get.sh': notApplicable } },
  textOf: (line: string) => SUITE[line] ?? '',
})
const compare = (notApplicable: readonly number[], ...results: readonly string[]) =>
  compareAssertions({ planes: results.map(parse), kubernetes: null }, SUITE_OPTIONS(notApplicable))

function parse(text: string): LineResult {
  const [outcome, line = ''] = text.split(' ')
  if (outcome === 'pass' || outcome === 'fail' || outcome === 'unserved') return { outcome, line }
  throw new Error(text)
}

it('counts assertions, not commands', () => {
  const results = ['pass get.sh:1', 'pass get.sh:1', 'fail get.sh:2', 'fail get.sh:3']
  expect(compare([2, 3], ...results)).toEqual({
    passed: { 'test/cmd': { applicable: 2, planes: 2, kubernetes: null } },
    others: { assertions: { 'D1: pods': 1, [UNSERVED]: 0 }, commands: { 'D1: pods': 1 } },
    errors: [],
  })
})

it('reports each failure outside of the list once', () => {
  const results = ['pass get.sh:1', 'fail get.sh:2', 'fail get.sh:3', 'fail get.sh:3']
  expect(compare([2], ...results)).toEqual({
    passed: { 'test/cmd': { applicable: 3, planes: 1, kubernetes: null } },
    others: { assertions: { [UNSERVED]: 0 }, commands: { 'D1: pods': 1 } },
    errors: ['failed: get.sh:3: kube::test::if_has_string "${output}" pod'],
  })
})

it('reports a listed line that holds', () => {
  expect(compare([1, 3], 'pass get.sh:1', 'fail get.sh:3')).toMatchObject({
    passed: { 'test/cmd': { planes: 1 } },
    errors: ['did not fail, although it is listed: get.sh:1'],
  })
})

it('does not count an assertion that holds because a resource is absent', () => {
  expect(compare([], 'unserved get.sh:1', 'pass get.sh:3')).toEqual({
    passed: { 'test/cmd': { applicable: 1, planes: 1, kubernetes: null } },
    others: { assertions: { [UNSERVED]: 1 }, commands: {} },
    errors: [],
  })
})

it('reports an assertion that holds less often on kube-apiserver', () => {
  const planes = ['pass get.sh:1', 'pass get.sh:1', 'pass get.sh:3'].map(parse)
  const kubernetes = ['pass get.sh:1', 'pass get.sh:2', 'unserved get.sh:1', 'pass get.sh:3']
  const runs = { planes, kubernetes: kubernetes.map(parse) }
  expect(compareAssertions(runs, SUITE_OPTIONS([]))).toMatchObject({
    passed: { 'test/cmd': { applicable: 3, planes: 3, kubernetes: 2 } },
    errors: ['does not hold on kube-apiserver: get.sh:1'],
  })
})
