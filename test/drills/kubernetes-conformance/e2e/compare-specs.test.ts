import { expect, it } from 'vitest'
import {
  compareSpecs,
  type ExpectedFailures,
  type SpecReport,
  type SpecsByReason,
} from './compare-specs.ts'

const spec = (name: string, State: string, ...labels: readonly string[]): SpecReport => ({
  LeafNodeType: 'It',
  LeafNodeText: name,
  LeafNodeLabels: labels,
  ContainerHierarchyTexts: ['[sig-test] Widgets'],
  State,
  ...(State === 'failed' && { Failure: { Message: 'broken' } }),
})

const skipping = (name: string): SpecReport => ({
  ...spec(name, 'skipped'),
  Failure: { Message: 'flaky' },
})

const lists = (
  notApplicable: SpecsByReason = {},
  differences: SpecsByReason = {},
): ExpectedFailures => ({ notApplicable, differences, excluded: {}, skipped: {} })

it('counts the applicable specs, and those of the conformance', () => {
  const reports = [
    spec('first', 'passed', 'Conformance'),
    spec('second', 'passed'),
    spec('pods', 'failed', 'Conformance'),
    spec('other', 'skipped'),
  ]
  const expected = lists({ pods: ['[sig-test] Widgets pods'] })
  expect(compareSpecs(reports, null, expected)).toEqual({
    passed: {
      e2e: { applicable: 2, planes: 2, kubernetes: null },
      'of these Conformance': { applicable: 1, planes: 1, kubernetes: null },
    },
    others: { specs: { pods: 1 } },
    errors: [],
  })
})

it('counts differences as applicable specs that do not pass', () => {
  const reports = [spec('first', 'failed'), spec('second', 'passed')]
  const expected = lists({}, { D1: ['[sig-test] Widgets first'] })
  expect(compareSpecs(reports, null, expected)).toMatchObject({
    passed: { e2e: { applicable: 2, planes: 1 } },
    others: { specs: { D1: 1 } },
    errors: [],
  })
})

it('reports a failure outside of the lists', () => {
  const reports = [spec('first', 'failed'), spec('b', 'passed')]
  const { passed, errors } = compareSpecs(reports, null, lists())
  expect(passed['e2e']).toMatchObject({ applicable: 2, planes: 1 })
  expect(errors).toEqual(['failed: [sig-test] Widgets first\nbroken'])
})

it('reports a failure outside of all specs', () => {
  const setup: SpecReport = {
    LeafNodeType: 'SynchronizedBeforeSuite',
    LeafNodeText: '',
    LeafNodeLabels: null,
    ContainerHierarchyTexts: null,
    State: 'failed',
    Failure: { Message: 'no server' },
  }
  expect(compareSpecs([setup], null, lists()).errors).toEqual([
    'failed: SynchronizedBeforeSuite\nno server',
  ])
})

it('reports entries of the list that pass or do not run', () => {
  const reports = [spec('first', 'passed'), spec('second', 'skipped')]
  const expected = lists({ pods: ['[sig-test] Widgets first', '[sig-test] Widgets second'] })
  expect(compareSpecs(reports, null, expected).errors).toEqual([
    'passed, although it is listed: [sig-test] Widgets first',
    'did not run: [sig-test] Widgets second',
  ])
})

it('reports a spec that skips itself', () => {
  const reports = [skipping('first'), spec('b', 'passed')]
  const { passed, errors } = compareSpecs(reports, null, lists())
  expect(passed['e2e']).toMatchObject({ applicable: 1, planes: 1 })
  expect(errors).toEqual(['skipped: [sig-test] Widgets first\nflaky'])
})

it('counts the specs that are listed because they skip themselves', () => {
  const expected = { ...lists(), skipped: { flaky: ['[sig-test] Widgets first'] } }
  expect(compareSpecs([skipping('first')], null, expected)).toMatchObject({
    passed: { e2e: { applicable: 0, planes: 0 } },
    others: { specs: { flaky: 1 } },
    errors: [],
  })
  expect(compareSpecs([spec('first', 'skipped')], null, expected).errors).toEqual([
    'did not run: [sig-test] Widgets first',
  ])
})

it('counts the specs that the drill excludes as not applicable', () => {
  const expected = { ...lists(), excluded: { fatal: ['[sig-test] Widgets first'] } }
  expect(compareSpecs([spec('first', 'skipped')], null, expected)).toMatchObject({
    passed: { e2e: { applicable: 0, planes: 0 } },
    others: { specs: { fatal: 1 } },
    errors: [],
  })
  expect(compareSpecs([spec('first', 'failed')], null, expected).errors).toEqual([
    'failed: [sig-test] Widgets first\nbroken',
  ])
})

it('reports a listed spec that the suite does not have', () => {
  const expected = { ...lists(), excluded: { fatal: ['[sig-test] Widgets first'] } }
  expect(compareSpecs([], null, expected).errors).toEqual(['did not run: [sig-test] Widgets first'])
})

it('compares the applicable specs with those that pass on kube-apiserver', () => {
  const planes = [
    spec('first', 'passed', 'Conformance'),
    spec('b', 'passed'),
    spec('pods', 'failed'),
  ]
  const kubernetes = [spec('first', 'failed'), spec('b', 'passed'), spec('pods', 'skipped')]
  const expected = lists({ pods: ['[sig-test] Widgets pods'] })
  expect(compareSpecs(planes, kubernetes, expected)).toMatchObject({
    passed: {
      e2e: { applicable: 2, planes: 2, kubernetes: 1 },
      'of these Conformance': { applicable: 1, planes: 1, kubernetes: 0 },
    },
    errors: ['does not pass on kube-apiserver: [sig-test] Widgets first'],
  })
})
