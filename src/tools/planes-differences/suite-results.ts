/** How many of the applicable specs or assertions pass. */
export interface Passed {
  readonly applicable: number
  readonly planes: number
  /** Null if the suite did not run against kube-apiserver. */
  readonly kubernetes: number | null
}

/** The number of specs, assertions or functions by the reason why they do not pass or do not run. */
type CountByReason = Readonly<Record<string, number>>

export interface SuiteResults {
  readonly passed: Readonly<Record<string, Passed>>
  /** A reason begins with the id of a difference, or with "suite" if it is none of planes. */
  readonly others: Readonly<Record<string, CountByReason>>
}

/** The results of Kubernetes' suites, by release and suite. */
export type Results = Readonly<Record<string, Readonly<Record<string, SuiteResults>>>>

/** A row for each suite of each release. */
export function suiteRows(results: Results): readonly (readonly string[])[] {
  return Object.entries(results).flatMap(([release, suites]) =>
    Object.values(suites).flatMap(({ passed }) =>
      Object.entries(passed).map(([name, { applicable, kubernetes, planes }]) =>
        [release, name, applicable, kubernetes ?? '', planes].map(String),
      ),
    ),
  )
}

/** The counts of each difference in the suites of a release, by its id, such as "27 specs". */
export function evidenceOf(suites: Results[string]): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>()
  for (const { others } of Object.values(suites)) {
    for (const [unit, reasons] of Object.entries(others)) {
      for (const [reason, count] of Object.entries(reasons)) {
        const id = reason.split(':', 1)[0] ?? ''
        const units = counts.get(id) ?? new Map<string, number>()
        counts.set(id, units.set(unit, (units.get(unit) ?? 0) + count))
      }
    }
  }
  const text = (units: ReadonlyMap<string, number>): string =>
    [...units]
      .map(([unit, count]) => count + ' ' + unit.slice(0, count === 1 ? -1 : undefined))
      .join(', ')
  return new Map([...counts].map(([id, units]) => [id, text(units)]))
}
