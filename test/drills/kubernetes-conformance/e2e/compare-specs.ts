import type { Passed } from '../../../../src/tools/planes-differences/suite-results.ts'
import { type Comparison, countByReason } from '../results.ts'

/** The part of a spec in Ginkgo's report that is read here. */
export interface SpecReport {
  readonly LeafNodeType: string
  readonly LeafNodeText: string
  readonly LeafNodeLabels: readonly string[] | null
  readonly ContainerHierarchyTexts: readonly string[] | null
  readonly State: string
  readonly Failure?: { readonly Message: string }
}

/** Full names of specs, by the reason why they do not pass. */
export type SpecsByReason = Readonly<Record<string, readonly string[]>>

/** The specs that are expected not to pass. */
export interface ExpectedFailures {
  /** They need what planes do not have. */
  readonly notApplicable: SpecsByReason
  /** They need what planes do not have, and the drill does not run them. */
  readonly excluded: SpecsByReason
  /** They skip themselves. */
  readonly skipped: SpecsByReason
  /** They are applicable, but planes differ on purpose. */
  readonly differences: SpecsByReason
}

/** Filters exclude specs, which have no message then. Specs that skip themselves have one. */
type Outcome = 'passed' | 'failed' | 'skipped' | 'excluded'

/**
 * Compares the results of specs with the expected failures. The listed specs must have the outcome of
 * their list, so that the lists stay true. All others that run must pass, also on Kubernetes. `kubernetes`
 * is null if the suite did not run there.
 */
export function compareSpecs(
  planes: readonly SpecReport[],
  kubernetes: readonly SpecReport[] | null,
  { notApplicable, excluded, skipped, differences }: ExpectedFailures,
): Comparison {
  const expected = new Map<string, Outcome>([
    ...namesOf(notApplicable).map((name) => [name, 'failed'] as const),
    ...namesOf(excluded).map((name) => [name, 'excluded'] as const),
    ...namesOf(skipped).map((name) => [name, 'skipped'] as const),
    ...namesOf(differences).map((name) => [name, 'failed'] as const),
  ])
  const isExpected = (report: SpecReport): boolean => {
    const outcome = outcomeOf(report)
    const wanted = expected.get(nameOf(report))
    return outcome === (wanted ?? 'passed') || (wanted === undefined && outcome === 'excluded')
  }
  const specs = planes.filter(({ LeafNodeType }) => LeafNodeType === 'It')
  const missing = new Set([...namesOf(notApplicable), ...namesOf(excluded)])
  const applicable = specs.filter((spec) => !missing.has(nameOf(spec)) && hasRun(spec))
  const names = new Set(specs.map(nameOf))
  const passing = kubernetes && new Set(kubernetes.filter(isPassed).map(nameOf))
  const failing = applicable.filter((spec) => passing?.has(nameOf(spec)) === false).map(nameOf)
  const isConformance = ({ LeafNodeLabels }: SpecReport) => LeafNodeLabels?.includes('Conformance')
  return {
    passed: {
      e2e: countPassed(applicable, passing),
      'of these Conformance': countPassed(applicable.filter(isConformance), passing),
    },
    others: {
      specs: countByReason({ ...differences, ...notApplicable, ...excluded, ...skipped }),
    },
    errors: [
      ...planes.filter((report) => !isExpected(report)).map(describe),
      ...[...expected.keys()].filter((name) => !names.has(name)).map(describeAbsent),
      ...failing.map((name) => `does not pass on kube-apiserver: ${name}`),
    ],
  }
}

export function namesOf(specs: SpecsByReason): readonly string[] {
  return Object.values(specs).flat()
}

function outcomeOf({ State, Failure }: SpecReport): Outcome {
  if (State === 'passed') return 'passed'
  if (State === 'skipped' && Failure !== undefined) return 'skipped'
  return State === 'skipped' || State === 'pending' ? 'excluded' : 'failed'
}

function hasRun(spec: SpecReport): boolean {
  const outcome = outcomeOf(spec)
  return outcome === 'passed' || outcome === 'failed'
}

function describe(report: SpecReport): string {
  const name = nameOf(report)
  switch (outcomeOf(report)) {
    case 'passed':
      return `passed, although it is listed: ${name}`
    case 'excluded':
      return describeAbsent(name)
    case 'skipped':
    case 'failed':
      return `${report.State}: ${name}\n${report.Failure?.Message ?? ''}`
  }
}

function describeAbsent(name: string): string {
  return `did not run: ${name}`
}

function nameOf({ ContainerHierarchyTexts, LeafNodeText, LeafNodeType }: SpecReport): string {
  const name = [...(ContainerHierarchyTexts ?? []), LeafNodeText].join(' ')
  return name === '' ? LeafNodeType : name
}

function isPassed({ State }: SpecReport): boolean {
  return State === 'passed'
}

function countPassed(specs: readonly SpecReport[], passing: ReadonlySet<string> | null): Passed {
  return {
    applicable: specs.length,
    planes: specs.filter(isPassed).length,
    kubernetes: passing && specs.filter((spec) => passing.has(nameOf(spec))).length,
  }
}
