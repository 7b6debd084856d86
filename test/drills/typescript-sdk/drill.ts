import type { Drill } from '../drill.ts'
import { runInChromium } from './chromium.ts'
import { runRollout } from './rollout.ts'
import { surviveRestarts } from './survive-restarts.ts'

/** Runs the TypeScript SDK in a browser, against a server that is killed, and at full size. */
export const typescriptSdk: Drill = {
  summary: 'the TypeScript SDK in Chromium, across kills of the server, and in a rollout of 64',
  cases: [
    { name: 'chromium', run: runInChromium },
    { name: '3-restarts', run: () => surviveRestarts(3, console.log) },
    { name: '20-restarts', run: () => surviveRestarts(20, console.log) },
    { name: 'rollout', run: () => runRollout(console.log) },
  ],
}
