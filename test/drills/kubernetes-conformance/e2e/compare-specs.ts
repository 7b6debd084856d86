/** The part of a spec in Ginkgo's report that is read here. */
export interface SpecReport {
  readonly LeafNodeType: string
  readonly LeafNodeText: string
  readonly LeafNodeLabels: readonly string[] | null
  readonly ContainerHierarchyTexts: readonly string[] | null
  readonly State: string
  readonly Failure?: { readonly Message: string }
}

/** Full names of specs, by the reason why they fail. */
export type SpecsByReason = Readonly<Record<string, readonly string[]>>

export interface Counts {
  readonly specs: number
  readonly passed: number
}

export interface Comparison {
  readonly applicable: Counts
  /** Those of the applicable specs that are part of Kubernetes' conformance. */
  readonly conformance: Counts
  readonly notApplicable: number
  /** The differences from the expectation. */
  readonly errors: readonly string[]
}

/** The specs that are expected to fail. */
export interface ExpectedFailures {
  /** They need what planes do not have. */
  readonly notApplicable: SpecsByReason
  /** They are applicable, but planes differ on purpose. */
  readonly differences: SpecsByReason
}

/**
 * Compares the results of specs with the expected failures. All other specs must pass, and the
 * expected ones must fail, so that the lists stay true.
 */
export function compareSpecs(
  reports: readonly SpecReport[],
  { notApplicable, differences }: ExpectedFailures,
): Comparison {
  const ran = reports.filter(({ State }) => State !== 'skipped' && State !== 'pending')
  const specs = ran.filter(({ LeafNodeType }) => LeafNodeType === 'It')
  const missing = new Set(Object.values(notApplicable).flat())
  const listed = new Set([...missing, ...Object.values(differences).flat()])
  const applicable = specs.filter((spec) => !missing.has(nameOf(spec)))
  const stale = specs.filter((spec) => listed.has(nameOf(spec)) && spec.State === 'passed')
  const names = new Set(specs.map(nameOf))
  return {
    applicable: countPassed(applicable),
    conformance: countPassed(
      applicable.filter(({ LeafNodeLabels }) => LeafNodeLabels?.includes('Conformance')),
    ),
    notApplicable: specs.length - applicable.length,
    errors: [
      ...ran
        .filter((spec) => spec.State !== 'passed' && !listed.has(nameOf(spec)))
        .map((spec) => `${spec.State}: ${nameOf(spec)}\n${spec.Failure?.Message ?? ''}`),
      ...stale.map((spec) => `passed, although it is listed: ${nameOf(spec)}`),
      ...[...listed].filter((name) => !names.has(name)).map((name) => `did not run: ${name}`),
    ],
  }
}

function nameOf({ ContainerHierarchyTexts, LeafNodeText, LeafNodeType }: SpecReport): string {
  const name = [...(ContainerHierarchyTexts ?? []), LeafNodeText].join(' ')
  return name === '' ? LeafNodeType : name
}

function countPassed(specs: readonly SpecReport[]): Counts {
  return {
    specs: specs.length,
    passed: specs.filter(({ State }) => State === 'passed').length,
  }
}
