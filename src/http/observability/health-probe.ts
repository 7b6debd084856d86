/** A named check of the health of the server. */
export interface HealthCheck {
  readonly name: string
  /** Whether liveness depends on it. Readiness depends on all checks. */
  readonly isVital: boolean
  /** Describes the problem; null if there is none. */
  readonly problem: () => Promise<string | null> | string | null
}

/** The result of a probe. */
export interface ProbeResult {
  readonly isOk: boolean
  /** One line per check, and the verdict. */
  readonly report: string
}

/** A path of a probe, with the name of one check if it has one. */
interface ProbePath {
  readonly probe: string
  readonly check: string | null
}

const PATH = /^\/(livez|readyz|healthz)(?:\/([^/]+))?$/

/** Reads the path of a probe. Null for other paths, and for checks that do not exist. */
export function probePathOf(path: string, checks: readonly HealthCheck[]): ProbePath | null {
  const [, probe, check = null] = PATH.exec(path) ?? []
  if (probe === undefined) return null
  const isKnown = check === null || checks.some(({ name }) => name === check)
  return isKnown ? { probe, check } : null
}

/** Runs one check, or those of the probe without the ones that the query excludes. */
export async function runProbe(
  checks: readonly HealthCheck[],
  { probe, check }: ProbePath,
  query: URLSearchParams,
): Promise<ProbeResult> {
  const excluded = query.getAll('exclude')
  const selected = checks.filter(({ name, isVital }) =>
    check === null ? (probe === 'readyz' || isVital) && !excluded.includes(name) : name === check,
  )
  const results = await Promise.all(
    selected.map(async (one) => ({ name: one.name, problem: await problemOf(one) })),
  )
  const isOk = results.every(({ problem }) => problem === null)
  const lines = results.map(({ name, problem }) =>
    problem === null ? `[+]${name} ok` : `[-]${name} failed: ${problem}`,
  )
  const verdict = `${probe} check ${isOk ? 'passed' : 'failed'}`
  return { isOk, report: `${[...lines, verdict].join('\n')}\n` }
}

/** A check that throws has failed. Its error may be private. */
async function problemOf({ problem }: HealthCheck): Promise<string | null> {
  try {
    return await problem()
  } catch {
    return 'the check failed'
  }
}
