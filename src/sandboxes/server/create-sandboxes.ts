import { randomBytes } from 'node:crypto'
import type { Clock } from 'flotilla'
import type { ControlPlane } from '../../planes/control-plane.ts'
import { sandboxEndpoints } from '../endpoints/sandbox-endpoints.ts'
import type { WorkloadAccess } from '../endpoints/workload-access.ts'
import { sandboxResources } from '../resources/sandbox-resources.ts'
import type { SandboxConfig } from '../sandbox-settings.ts'
import { sandboxApiProblem, sandboxStartProblem } from './sandbox-start-problem.ts'

interface Options {
  readonly config: SandboxConfig
  readonly workloads: WorkloadAccess
  /** It is created after the resources. */
  readonly controlPlane: () => Pick<ControlPlane, 'operations' | 'waitForState'>
  readonly clock: Clock
}

/** The resources of sandboxes. */
export function createSandboxes({ config, workloads, controlPlane, clock }: Options) {
  const endpoints = sandboxEndpoints({
    objects: () => controlPlane().operations,
    waitForState: (...call) => controlPlane().waitForState(...call),
    workloads,
    clock,
    randomDigits: (length) => randomBytes(length).toString('hex').slice(0, length),
  })
  return sandboxResources({
    endpoints,
    servesProposals: config.sandboxSnapshotApi === 'on',
    startProblem: sandboxStartProblem(config),
    apiProblem: sandboxApiProblem(config),
  })
}
