// npm run drill -- <name> [case ...]: without a name, lists the drills.
import { compileServerProgram } from '../support/server-program.ts'
import { type Drill, runDrill } from './drill.ts'

/** A run imports only its drill: all of them take 9 s of CPU. */
const DRILLS: Readonly<Record<string, () => Promise<Drill>>> = {
  'adapter-work': async () => (await import('./adapter-work/drill.ts')).adapterWork,
  attacks: async () => (await import('./attacks/drill.ts')).attacks,
  bench: async () => (await import('./bench.ts')).bench,
  bombs: async () => (await import('./bombs/drill.ts')).bombs,
  console: async () => (await import('./console/drill.ts')).consoleDrill,
  deployments: async () => (await import('./deployments/drill.ts')).deployments,
  'driver-conformance': async () => (await import('./driver-conformance.ts')).driverConformance,
  failover: async () => (await import('./failover/drill.ts')).failover,
  fleets: async () => (await import('./fleets/drill.ts')).fleets,
  generators: async () => (await import('./generators/drill.ts')).generators,
  installations: async () => (await import('./installations.ts')).installations,
  'kubernetes-clients': async () =>
    (await import('./kubernetes-clients/drill.ts')).kubernetesClients,
  'kubernetes-conformance': async () =>
    (await import('./kubernetes-conformance/drill.ts')).kubernetesConformance,
  machines: async () => (await import('./machines/drill.ts')).machines,
  'node-versions': async () => (await import('./node-versions.ts')).nodeVersions,
  'planted-failures': async () => (await import('./planted-failures/drill.ts')).plantedFailures,
  proofs: async () => (await import('./proofs.ts')).proofs,
  'python-sdk': async () => (await import('./python-sdk.ts')).pythonSdk,
  'sandbox-attacks': async () => (await import('./sandbox-attacks.ts')).sandboxAttacks,
  sandboxes: async () => (await import('./sandboxes/drill.ts')).sandboxes,
  servers: async () => (await import('./servers/drill.ts')).servers,
  'slow-tests': async () => (await import('./slow-tests.ts')).slowTests,
  linearizability: async () => (await import('./linearizability/drill.ts')).linearizability,
  soak: async () => (await import('./soak/drill.ts')).soak,
  shards: async () => (await import('./shards/drill.ts')).shards,
  'typescript-sdk': async () => (await import('./typescript-sdk/drill.ts')).typescriptSdk,
}

async function main([name = '', ...wanted]: readonly string[]): Promise<void> {
  const load = DRILLS[name]
  if (load === undefined) {
    console.log('npm run drill -- <name> [case ...]')
    for (const [known, loadKnown] of Object.entries(DRILLS)) {
      console.log(`  ${known}: ${(await loadKnown()).summary}`)
    }
    process.exitCode = name === '' ? 0 : 1
    return
  }
  // Through tsx, each start of a server takes 6 s more of CPU.
  await compileServerProgram()
  if (!(await runDrill(name, await load(), wanted))) process.exitCode = 1
}

await main(process.argv.slice(2))
