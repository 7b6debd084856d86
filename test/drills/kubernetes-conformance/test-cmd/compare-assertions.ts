/** The outcome of a line: an assertion holds, holds because a resource is absent, or a command fails. */
type Outcome = 'pass' | 'unserved' | 'fail'

export interface LineResult {
  readonly outcome: Outcome
  /** `get.sh:30` */
  readonly line: string
}

/** The numbers of lines by reason and file. They use things that planes lack. */
export type NotApplicable = Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>

export interface AssertionCounts {
  readonly passed: number
  /** The assertions that ran without those that are not applicable. */
  readonly applicable: number
  readonly notApplicable: number
}

interface Comparison extends AssertionCounts {
  /** The differences from the expectation. */
  readonly errors: readonly string[]
}

/**
 * Compares the results with the list of lines that are not applicable. All others must hold, and those
 * of the list must fail, so that the list stays true. A line can run several times.
 */
export function compareAssertions(
  results: readonly LineResult[],
  { notApplicable, textOf }: { notApplicable: NotApplicable; textOf: (line: string) => string },
): Comparison {
  const listed = new Set(linesOf(notApplicable))
  const failing = results.filter(({ outcome }) => outcome === 'fail')
  const failed = failing.filter(({ line }) => !listed.has(line))
  const isAssertion = ({ line }: LineResult): boolean => textOf(line).includes('kube::test::')
  const excused = failing.filter(({ line }) => listed.has(line)).filter(isAssertion)
  const unserved = results.filter(({ outcome }) => outcome === 'unserved')
  const passed = results.filter(({ outcome }) => outcome === 'pass').length
  const failingLines = new Set(failing.map(({ line }) => line))
  return {
    passed,
    applicable: passed + failed.filter(isAssertion).length,
    notApplicable: excused.length + unserved.length,
    errors: [
      ...new Set(failed.map(({ line }) => `failed: ${line}: ${textOf(line).trim()}`)),
      ...[...listed]
        .filter((line) => !failingLines.has(line))
        .map((line) => `did not fail, although it is listed: ${line}`),
    ],
  }
}

function linesOf(notApplicable: NotApplicable): readonly string[] {
  return Object.values(notApplicable).flatMap((files) =>
    Object.entries(files).flatMap(([file, numbers]) =>
      numbers.map((number) => `${file}:${number}`),
    ),
  )
}
