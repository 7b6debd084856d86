import { expect, it } from 'vitest'
import { compareAssertions, type LineResult } from './compare-assertions.ts'

const SUITE: Readonly<Record<string, string>> = {
  'get.sh:1': '  kube::test::get_object_assert namespaces',
  'get.sh:2': '  kubectl create -f pod.yaml',
  'get.sh:3': '  kube::test::if_has_string "${output}" pod',
}
const compare = (notApplicable: readonly number[], ...results: readonly string[]) =>
  compareAssertions(results.map(parse), {
    notApplicable: { pods: { 'get.sh': notApplicable } },
    textOf: (line) => SUITE[line] ?? '',
  })

function parse(text: string): LineResult {
  const [outcome, line = ''] = text.split(' ')
  if (outcome === 'pass' || outcome === 'fail' || outcome === 'unserved') return { outcome, line }
  throw new Error(text)
}

it('counts assertions, not commands', () => {
  const results = ['pass get.sh:1', 'pass get.sh:1', 'fail get.sh:2', 'fail get.sh:3']
  expect(compare([2, 3], ...results)).toEqual({
    passed: 2,
    applicable: 2,
    notApplicable: 1,
    errors: [],
  })
})

it('reports each failure outside of the list once', () => {
  const results = ['pass get.sh:1', 'fail get.sh:2', 'fail get.sh:3', 'fail get.sh:3']
  expect(compare([2], ...results)).toEqual({
    passed: 1,
    applicable: 3,
    notApplicable: 0,
    errors: ['failed: get.sh:3: kube::test::if_has_string "${output}" pod'],
  })
})

it('reports a listed line that holds', () => {
  expect(compare([1, 3], 'pass get.sh:1', 'fail get.sh:3')).toMatchObject({
    passed: 1,
    errors: ['did not fail, although it is listed: get.sh:1'],
  })
})

it('does not count an assertion that holds because a resource is absent', () => {
  expect(compare([], 'unserved get.sh:1', 'pass get.sh:3')).toEqual({
    passed: 1,
    applicable: 1,
    notApplicable: 1,
    errors: [],
  })
})
