import type { Comparison } from '../results.ts'

/** The outcome of a line: an assertion holds, holds because a resource is absent, or a command fails. */
type Outcome = 'pass' | 'unserved' | 'fail'

export interface LineResult {
  readonly outcome: Outcome
  /** `get.sh:30` */
  readonly line: string
}

/** The numbers of lines by reason and file. They use things that planes lack. */
export type NotApplicable = Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>

/** The results of both servers. */
interface Runs {
  readonly planes: readonly LineResult[]
  /** Null if the suite did not run on Kubernetes. */
  readonly kubernetes: readonly LineResult[] | null
}

interface Suite {
  readonly notApplicable: NotApplicable
  readonly textOf: (line: string) => string
}

/**
 * Compares the results with the list of lines that are not applicable. All others must hold, and those
 * of the list must fail, so that the list stays true. A line can run several times. Assertions that hold
 * on planes must also hold on Kubernetes.
 */
export function compareAssertions(
  { planes, kubernetes }: Runs,
  { notApplicable, textOf }: Suite,
): Comparison {
  const listed = new Set(linesOf(Object.values(notApplicable)))
  const failing = planes.filter(({ outcome }) => outcome === 'fail')
  const failed = failing.filter(({ line }) => !listed.has(line))
  const isAssertion = ({ line }: Pick<LineResult, 'line'>): boolean =>
    textOf(line).includes('kube::test::')
  const excused = failing.filter(({ line }) => listed.has(line)).filter(isAssertion)
  const passed = planes.filter(({ outcome }) => outcome === 'pass')
  const missing = kubernetes && missingOf(passed, kubernetes)
  const failingLines = new Set(failing.map(({ line }) => line))
  const applicable = passed.length + failed.filter(isAssertion).length
  return {
    passed: {
      'test/cmd': {
        applicable,
        planes: passed.length,
        kubernetes: missing && applicable - missing.length,
      },
    },
    others: {
      assertions: {
        ...countLines(notApplicable, (line) => excused.filter((one) => one.line === line).length),
        [UNSERVED]: planes.filter(({ outcome }) => outcome === 'unserved').length,
      },
      commands: countLines(notApplicable, (line) => (isAssertion({ line }) ? 0 : 1)),
    },
    errors: [
      ...new Set(failed.map(({ line }) => `failed: ${line}: ${textOf(line).trim()}`)),
      ...[...listed]
        .filter((line) => !failingLines.has(line))
        .map((line) => `did not fail, although it is listed: ${line}`),
      ...new Set((missing ?? []).map((line) => `does not hold on kube-apiserver: ${line}`)),
    ],
  }
}

export const UNSERVED = 'D1: hold because the server does not have the resource'

/** The lines that pass more often than on the other server. */
function missingOf(
  passed: readonly LineResult[],
  others: readonly LineResult[],
): readonly string[] {
  const rest = others.filter(({ outcome }) => outcome === 'pass').map(({ line }) => line)
  return passed.flatMap(({ line }) => {
    const index = rest.indexOf(line)
    if (index < 0) return line
    rest.splice(index, 1)
    return []
  })
}

/** The sums over the lines of each reason, without reasons that have none. */
function countLines(
  notApplicable: NotApplicable,
  countOf: (line: string) => number,
): Readonly<Record<string, number>> {
  const counts = Object.entries(notApplicable).map(
    ([reason, files]) =>
      [reason, linesOf([files]).reduce((sum, line) => sum + countOf(line), 0)] as const,
  )
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

type LinesByFile = NotApplicable[string]

function linesOf(reasons: readonly LinesByFile[]): readonly string[] {
  return reasons.flatMap((files) =>
    Object.entries(files).flatMap(([file, numbers]) =>
      numbers.map((number) => `${file}:${number}`),
    ),
  )
}
