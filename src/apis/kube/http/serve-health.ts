import type { Request, Response } from 'express'

/** A named check of the health of the server. */
export interface HealthCheck {
  readonly name: string
  /** Whether liveness depends on it. Readiness depends on all checks. */
  readonly isVital: boolean
  /** Describes the problem; null if there is none. */
  readonly problem: () => Promise<string | null> | string | null
}

interface Probe {
  readonly request: Request
  readonly response: Response
  readonly path: string
}

/** A check that throws has failed. Its error may be private. */
async function problemOf({ problem }: HealthCheck): Promise<string | null> {
  try {
    return await problem()
  } catch {
    return 'the check failed'
  }
}

const PATH = /^\/(livez|readyz|healthz)(?:\/([^/]+))?$/

/** Serves `/livez`, `/readyz`, `/healthz` and their named checks. False for other paths. */
export async function serveHealth(
  checks: readonly HealthCheck[],
  { request, response, path }: Probe,
): Promise<boolean> {
  const [, probe, name] = PATH.exec(path) ?? []
  if (probe === undefined) return false
  const query = new URLSearchParams(request.url.split('?')[1] ?? '')
  const excluded = query.getAll('exclude')
  const selected = checks.filter((check) => {
    if (name !== undefined) return check.name === name
    return (probe === 'readyz' || check.isVital) && !excluded.includes(check.name)
  })
  if (name !== undefined && selected.length === 0) return false
  const results = await Promise.all(
    selected.map(async (check) => ({ name: check.name, problem: await problemOf(check) })),
  )
  const failed = results.filter(({ problem }) => problem !== null)
  const isVerbose = query.has('verbose') || failed.length > 0
  const lines = results.map(({ name: checked, problem }) =>
    problem === null ? `[+]${checked} ok` : `[-]${checked} failed: ${problem}`,
  )
  const verdict = `${probe} check ${failed.length === 0 ? 'passed' : 'failed'}`
  response.status(failed.length === 0 ? 200 : 500)
  response.type('text/plain').set('X-Content-Type-Options', 'nosniff')
  response.end(isVerbose ? `${[...lines, verdict].join('\n')}\n` : 'ok')
  return true
}
