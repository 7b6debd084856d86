import { must } from '../../../src/lib/assert.ts'
import { errorMessage } from '../../../src/lib/error-message.ts'
import type { ConformanceCheck } from './conformance-check.ts'
import { EXTENSION_CHECKS } from './extension-checks.ts'
import { type ConformanceRig, type ConformanceTarget, openRig } from './open-rig.ts'
import { PROPOSAL_CHECKS } from './proposal-checks.ts'
import { RUNTIME_CHECKS } from './runtime-checks.ts'

/** All checks, in the order in which an author makes them pass. */
export const CONFORMANCE_CHECKS: readonly ConformanceCheck[] = [
  ...PROPOSAL_CHECKS,
  ...EXTENSION_CHECKS,
  ...RUNTIME_CHECKS,
]

/** The outcome of a check. A check is skipped if the server does not claim to support it. */
export interface ConformanceResult {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** The broken rule, or what the server lacks. Empty if the check passed. */
  readonly detail: string
}

/** Runs checks against a server, by default all. Rejects if it cannot be reached. */
export async function runConformance(
  target: ConformanceTarget,
  names: readonly string[] = CONFORMANCE_CHECKS.map(({ name }) => name),
): Promise<readonly ConformanceResult[]> {
  using rig = await openRig(target)
  const results: ConformanceResult[] = []
  for (const name of names) {
    const check = CONFORMANCE_CHECKS.find((one) => one.name === name)
    results.push(await runCheck(must(check, `a check '${name}'`), rig))
  }
  return results
}

async function runCheck(
  { name, needs, run }: ConformanceCheck,
  rig: ConformanceRig,
): Promise<ConformanceResult> {
  const missing = needs.filter((one) => !rig.provides.has(one))
  if (missing.length > 0) {
    return { name, outcome: 'skipped', detail: `the server does not offer ${missing.join(', ')}` }
  }
  try {
    await run(rig)
    return { name, outcome: 'passed', detail: '' }
  } catch (error) {
    return { name, outcome: 'failed', detail: errorMessage(error) }
  }
}
