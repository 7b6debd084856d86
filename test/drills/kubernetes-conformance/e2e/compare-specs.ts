/** The part of a spec in Ginkgo's report that is read here. */
export interface SpecReport {
  readonly LeafNodeType: string
  readonly LeafNodeText: string
  readonly LeafNodeLabels: readonly string[] | null
  readonly ContainerHierarchyTexts: readonly string[] | null
  readonly State: string
  readonly Failure?: { readonly Message: string }
}

/** Specs that need what planes do not have, by reason. */
export type NotApplicable = Readonly<Record<string, readonly string[]>>

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

/**
 * Compares the results of specs with the list of specs that are not applicable. All others must pass,
 * and those of the list must fail, so that the list stays true.
 */
export function compareSpecs(
  reports: readonly SpecReport[],
  notApplicable: NotApplicable,
): Comparison {
  const ran = reports.filter(({ State }) => State !== 'skipped' && State !== 'pending')
  const specs = ran.filter(({ LeafNodeType }) => LeafNodeType === 'It')
  const listed = new Set(Object.values(notApplicable).flat())
  const applicable = specs.filter((spec) => !listed.has(nameOf(spec)))
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
