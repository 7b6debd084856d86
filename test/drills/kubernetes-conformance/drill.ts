import type { Drill } from '../drill.ts'
import { runDefinitions } from './definitions/run-definitions.ts'
import { runE2eSuite } from './e2e/run-e2e-suite.ts'
import { runTestCmd } from './test-cmd/run-test-cmd.ts'

/**
 * Runs Kubernetes' own suites, and stores definitions of known projects, in planes and in
 * kube-apiserver. The first run builds the programs, which takes minutes.
 */
export const kubernetesConformance: Drill = {
  summary: "Kubernetes' own suites and definitions of known projects, beside kube-apiserver",
  cases: [
    { name: 'e2e', run: () => runE2eSuite('1.35') },
    { name: 'e2e-1.36', run: () => runE2eSuite('1.36') },
    { name: 'test-cmd', run: () => runTestCmd('1.35') },
    { name: 'test-cmd-1.36', run: () => runTestCmd('1.36') },
    { name: 'definitions', run: () => runDefinitions('1.35') },
  ],
}
