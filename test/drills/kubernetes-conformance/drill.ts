import type { Drill } from '../drill.ts'
import { runE2eSuite } from './e2e/run-e2e-suite.ts'
import { runTestCmd } from './test-cmd/run-test-cmd.ts'

/** Runs Kubernetes' own suites against planes. The first run builds them, which takes minutes. */
export const kubernetesConformance: Drill = {
  summary: "Kubernetes' own suites against a plane",
  cases: [
    { name: 'e2e', run: runE2eSuite },
    { name: 'test-cmd', run: runTestCmd },
  ],
}
