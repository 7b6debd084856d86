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

interface PassedSpecs {
  readonly specs: number
  readonly passed: number
}

export interface SpecCounts {
  readonly applicable: PassedSpecs
  /** Those of the applicable specs that are part of Kubernetes' conformance. */
  readonly conformance: PassedSpecs
  readonly notApplicable: number
  readonly skipped: number
}

interface Comparison extends SpecCounts {
  /** The differences from the expectation. */
  readonly errors: readonly string[]
}

/** Filters exclude specs, which have no message then. Specs that skip themselves have one. */
type Outcome = 'passed' | 'failed' | 'skipped' | 'excluded'

/**
 * Compares the results of specs with the expected failures. The listed specs must have the outcome of
 * their list, so that the lists stay true. All others that run must pass.
 */
export function compareSpecs(
  reports: readonly SpecReport[],
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
  const specs = reports.filter(({ LeafNodeType }) => LeafNodeType === 'It')
  const missing = new Set([...namesOf(notApplicable), ...namesOf(excluded)])
  const applicable = specs.filter((spec) => !missing.has(nameOf(spec)) && hasRun(spec))
  const names = new Set(specs.map(nameOf))
  return {
    applicable: countPassed(applicable),
    conformance: countPassed(
      applicable.filter(({ LeafNodeLabels }) => LeafNodeLabels?.includes('Conformance')),
    ),
    notApplicable: specs.filter((spec) => missing.has(nameOf(spec))).length,
    skipped: specs.filter((spec) => outcomeOf(spec) === 'skipped').length,
    errors: [
      ...reports.filter((report) => !isExpected(report)).map(describe),
      ...[...expected.keys()].filter((name) => !names.has(name)).map(describeAbsent),
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

function countPassed(specs: readonly SpecReport[]): PassedSpecs {
  return {
    specs: specs.length,
    passed: specs.filter(({ State }) => State === 'passed').length,
  }
}
