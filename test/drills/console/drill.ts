import type { Drill } from '../drill.ts'
import { sharedRig } from '../shared-rig.ts'
import { createCluster } from './jobs/create-cluster.ts'
import { editSpec } from './jobs/edit-spec.ts'
import { findNotReady } from './jobs/find-not-ready.ts'
import { findSilentAdapter } from './jobs/find-silent-adapter.ts'
import { type Desk, doJob } from './jobs/job.ts'
import { readHistory } from './jobs/read-history.ts'
import { sayWhatBroke } from './jobs/say-what-broke.ts'
import { saveView } from './jobs/save-view.ts'
import { scaleFleet } from './jobs/scale-fleet.ts'
import { suspendSandbox } from './jobs/suspend-sandbox.ts'
import { doJobsOnce } from './load/do-jobs-once.ts'
import { MAIN_JOBS, OTHER_JOBS } from './load/main-jobs.ts'
import { useList } from './load/use-list.ts'
import { workUnderLoad } from './load/work-under-load.ts'
import {
  assertNone,
  assertUnchanged,
  comparePages,
  type Findings,
  showEveryPage,
  VIEWS,
} from './pages/show-every-page.ts'
import { recoverFromKill } from './recovery/recover-from-kill.ts'
import { replaceExpiredToken } from './recovery/replace-expired-token.ts'
import { repeatDefects } from './regressions/repeat-defects.ts'
import { type ConsoleRig, startConsoleRig } from './rig/console-rig.ts'
import { createDatabase } from './rig/create-database.ts'
import { enforcePolicy } from './security/enforce-policy.ts'
import { refuseForeignPages } from './security/refuse-foreign-pages.ts'
import { resistAttacks } from './security/resist-attacks.ts'

const rig = sharedRig(() => startConsoleRig(5000))
/** Its seed takes 20 seconds of CPU. */
const largeRig = sharedRig(() => startConsoleRig(100_000))

/** The findings of one visit, for the cases `pages-half` and `screenshots`. */
let compared: Promise<Findings> | null = null

function compareOnce(small: ConsoleRig): Promise<Findings> {
  return (compared ??= comparePages(small))
}

/** Dry runs of forms, edits beside others, and pages of resources that a job has removed. */
const EXPECTED_IN_JOBS = /status of (?:400|404|409|412) /

/** A case that uses a shared rig. */
function onRig(name: string, run: (rig: ConsoleRig) => Promise<void>, shared = rig) {
  return { name, run: async () => run(await shared.get()) }
}

function underLoad(name: string, seconds: number) {
  const options = { seconds, jobs: [{ name: 'use the list', work: useList }], print: console.log }
  return onRig(name, (large) => workUnderLoad(large, options), largeRig)
}

function jobsUnderLoad(name: string, seconds: number) {
  const options = {
    seconds,
    jobs: MAIN_JOBS,
    last: OTHER_JOBS,
    expects: EXPECTED_IN_JOBS,
    print: console.log,
  }
  return onRig(name, (large) => workUnderLoad(large, options), largeRig)
}

function onJob(name: string, job: (desk: Desk) => Promise<void>) {
  return onRig(name, (rig) => doJob(rig, name, job))
}

/** Uses the console in Chromium as users do, on a fleet of 5 000 or 100 000 clusters. */
export const consoleDrill: Drill = {
  summary: 'the console in Chromium: user jobs, every page, load, killed servers, attacks',
  cases: [
    // Before the cases that change the fleet.
    onRig('pages-half', async (small) => assertNone((await compareOnce(small)).failures)),
    onRig('screenshots', async (small) => assertUnchanged(await compareOnce(small))),
    onJob('find-not-ready', findNotReady),
    onJob('say-what-broke', sayWhatBroke),
    onJob('find-silent-adapter', findSilentAdapter),
    onJob('create-cluster', createCluster),
    onJob('edit-spec', editSpec),
    onJob('save-view', saveView),
    onJob('scale-fleet', scaleFleet),
    onJob('suspend-sandbox', suspendSandbox),
    onRig('pages', (large) => showEveryPage(large, VIEWS), largeRig),
    onRig('history', readHistory),
    onRig('large-fleet', (large) => doJob(large, 'find-in-large-fleet', findNotReady), largeRig),
    underLoad('load-1-minute', 60),
    underLoad('load-10-minutes', 600),
    onRig('jobs-once', (small) =>
      doJobsOnce(small, [...MAIN_JOBS, ...OTHER_JOBS], EXPECTED_IN_JOBS),
    ),
    jobsUnderLoad('jobs-10-minutes', 600),
    onRig('restart', recoverFromKill),
    onRig('expired-token', async (small) =>
      replaceExpiredToken(small, await createDatabase(small.databaseUrl)),
    ),
    onRig('regressions', repeatDefects),
    onRig('attacks', resistAttacks),
    onRig('policy', enforcePolicy),
    { name: 'foreign-pages', run: refuseForeignPages },
  ],
  close: async () => {
    await rig[Symbol.asyncDispose]()
    await largeRig[Symbol.asyncDispose]()
  },
}
