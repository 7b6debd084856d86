import type { ConformanceCheck } from '../drivers/conformance/conformance-check.ts'
import { openRig } from '../drivers/conformance/open-rig.ts'
import { CONFORMANCE_CHECKS } from '../drivers/conformance/run-conformance.ts'
import { type Drill, Skipped } from './drill.ts'

/**
 * Runs the conformance suite against the driver at DRIVER_ENDPOINT. DRIVER_NAME selects one of
 * several drivers, and DRIVER_PARAMETERS is a JSON object with the parameters of its backend.
 */
export const driverConformance: Drill = {
  summary: 'the rules of the protocol, against the sandbox driver at DRIVER_ENDPOINT',
  cases: CONFORMANCE_CHECKS.map((check) => ({ name: check.name, run: () => runCheck(check) })),
}

async function runCheck({ needs, run }: ConformanceCheck): Promise<void> {
  const {
    DRIVER_ENDPOINT: endpoint = '',
    DRIVER_NAME: driver = '',
    DRIVER_PARAMETERS: parameters = '{}',
  } = process.env
  if (endpoint === '') throw new Skipped('set DRIVER_ENDPOINT to unix:/path of the driver')
  using rig = await openRig({
    endpoint,
    ...(driver === '' ? {} : { driver }),
    parameters: JSON.parse(parameters),
  })
  const missing = needs.filter((one) => !rig.provides.has(one))
  if (missing.length > 0) throw new Skipped(`the server does not offer ${missing.join(', ')}`)
  await run(rig)
}
