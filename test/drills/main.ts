// npm run drill -- <name> [case ...]: without a name, lists the drills.
import { compileServerProgram } from '../support/server-program.ts'
import { adapterWork } from './adapter-work/drill.ts'
import { attacks } from './attacks/drill.ts'
import { bench } from './bench.ts'
import { consoleDrill } from './console/drill.ts'
import { deployments } from './deployments/drill.ts'
import { type Drill, runDrill } from './drill.ts'
import { driverConformance } from './driver-conformance.ts'
import { failover } from './failover/drill.ts'
import { fleets } from './fleets/drill.ts'
import { generators } from './generators/drill.ts'
import { installations } from './installations.ts'
import { kubernetesClients } from './kubernetes-clients/drill.ts'
import { machines } from './machines/drill.ts'
import { nodeVersions } from './node-versions.ts'
import { plantedFailures } from './planted-failures/drill.ts'
import { proofs } from './proofs.ts'
import { pythonSdk } from './python-sdk.ts'
import { sandboxAttacks } from './sandbox-attacks.ts'
import { sandboxes } from './sandboxes/drill.ts'
import { servers } from './servers/drill.ts'
import { slowTests } from './slow-tests.ts'
import { soak } from './soak/drill.ts'
import { shards } from './shards/drill.ts'
import { typescriptSdk } from './typescript-sdk/drill.ts'

const DRILLS: Readonly<Record<string, Drill>> = {
  'adapter-work': adapterWork,
  attacks,
  bench,
  console: consoleDrill,
  deployments,
  'driver-conformance': driverConformance,
  failover,
  fleets,
  generators,
  installations,
  'kubernetes-clients': kubernetesClients,
  machines,
  'node-versions': nodeVersions,
  'planted-failures': plantedFailures,
  proofs,
  'python-sdk': pythonSdk,
  'sandbox-attacks': sandboxAttacks,
  sandboxes,
  servers,
  'slow-tests': slowTests,
  soak,
  shards,
  'typescript-sdk': typescriptSdk,
}

async function main([name = '', ...wanted]: readonly string[]): Promise<void> {
  const drill = DRILLS[name]
  if (drill === undefined) {
    console.log('npm run drill -- <name> [case ...]')
    for (const [known, { summary }] of Object.entries(DRILLS)) console.log(`  ${known}: ${summary}`)
    process.exitCode = name === '' ? 0 : 1
    return
  }
  // Through tsx, each start of a server takes 6 s more of CPU.
  await compileServerProgram()
  if (!(await runDrill(name, drill, wanted))) process.exitCode = 1
}

await main(process.argv.slice(2))
