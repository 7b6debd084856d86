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
  expect(compareSpecs(reports, lists({ pods: ['[sig-test] Widgets pods'] }))).toEqual({
    applicable: { specs: 2, passed: 2 },
    conformance: { specs: 1, passed: 1 },
    notApplicable: 1,
    skipped: 0,
    errors: [],
  })
})

it('counts differences as applicable specs that do not pass', () => {
  const reports = [spec('first', 'failed'), spec('second', 'passed')]
  const expected = lists({}, { D1: ['[sig-test] Widgets first'] })
  expect(compareSpecs(reports, expected)).toMatchObject({
    applicable: { specs: 2, passed: 1 },
    notApplicable: 0,
    errors: [],
  })
})

it('reports a failure outside of the lists', () => {
  const { applicable, errors } = compareSpecs(
    [spec('first', 'failed'), spec('b', 'passed')],
    lists(),
  )
  expect(applicable).toEqual({ specs: 2, passed: 1 })
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
  expect(compareSpecs([setup], lists()).errors).toEqual([
    'failed: SynchronizedBeforeSuite\nno server',
  ])
})

it('reports entries of the list that pass or do not run', () => {
  const reports = [spec('first', 'passed'), spec('second', 'skipped')]
  const expected = lists({ pods: ['[sig-test] Widgets first', '[sig-test] Widgets second'] })
  expect(compareSpecs(reports, expected).errors).toEqual([
    'passed, although it is listed: [sig-test] Widgets first',
    'did not run: [sig-test] Widgets second',
  ])
})

it('reports a spec that skips itself', () => {
  const { applicable, errors } = compareSpecs([skipping('first'), spec('b', 'passed')], lists())
  expect(applicable).toEqual({ specs: 1, passed: 1 })
  expect(errors).toEqual(['skipped: [sig-test] Widgets first\nflaky'])
})

it('counts the specs that are listed because they skip themselves', () => {
  const expected = { ...lists(), skipped: { flaky: ['[sig-test] Widgets first'] } }
  expect(compareSpecs([skipping('first')], expected)).toMatchObject({
    applicable: { specs: 0, passed: 0 },
    notApplicable: 0,
    skipped: 1,
    errors: [],
  })
  expect(compareSpecs([spec('first', 'skipped')], expected).errors).toEqual([
    'did not run: [sig-test] Widgets first',
  ])
})

it('counts the specs that the drill excludes as not applicable', () => {
  const expected = { ...lists(), excluded: { fatal: ['[sig-test] Widgets first'] } }
  expect(compareSpecs([spec('first', 'skipped')], expected)).toMatchObject({
    applicable: { specs: 0, passed: 0 },
    notApplicable: 1,
    errors: [],
  })
  expect(compareSpecs([spec('first', 'failed')], expected).errors).toEqual([
    'failed: [sig-test] Widgets first\nbroken',
  ])
})

it('reports a listed spec that the suite does not have', () => {
  const expected = { ...lists(), excluded: { fatal: ['[sig-test] Widgets first'] } }
  expect(compareSpecs([], expected).errors).toEqual(['did not run: [sig-test] Widgets first'])
})
