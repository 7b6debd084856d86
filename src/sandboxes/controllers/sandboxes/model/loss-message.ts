import type { SandboxProgress } from '../../../storage/sandbox-state.ts'

/** How a workload was lost that has not ended itself. */
export function lossMessage({ exitMessage }: SandboxProgress['details']): string {
  return typeof exitMessage === 'string'
    ? `The workload was lost because ${exitMessage}`
    : 'The workload was lost with its machine'
}
