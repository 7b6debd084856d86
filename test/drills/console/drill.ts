import type { Drill } from '../drill.ts'
import { workUnderLoad } from './load/work-under-load.ts'
import { showEveryPage } from './pages/show-every-page.ts'
import { recoverFromKill } from './recovery/recover-from-kill.ts'
import { type ConsoleRig } from './rig/console-rig.ts'
import { sharedRig } from './rig/shared-rig.ts'
import { enforcePolicy } from './security/enforce-policy.ts'
import { resistAttacks } from './security/resist-attacks.ts'

const rig = sharedRig()

/** A case that uses the shared rig. */
function onRig(name: string, run: (rig: ConsoleRig) => Promise<void>) {
  return { name, run: async () => run(await rig.get()) }
}

/** Uses the console in Chromium as users do, on a fleet of 100 000 clusters. */
export const consoleDrill: Drill = {
  summary: 'the console in Chromium: user jobs, every page, load, killed servers, attacks',
  cases: [
    onRig('pages', showEveryPage),
    onRig('load-1-minute', (rig) => workUnderLoad(rig, { seconds: 60, print: console.log })),
    onRig('load-10-minutes', (rig) => workUnderLoad(rig, { seconds: 600, print: console.log })),
    onRig('restart', recoverFromKill),
    onRig('attacks', resistAttacks),
    onRig('policy', enforcePolicy),
  ],
  close: () => rig[Symbol.asyncDispose](),
}
