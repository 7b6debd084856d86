import type { Drill } from '../drill.ts'
import { runTestFiles } from '../run-test-files.ts'
import { claimCleanMembers } from './claim-clean-members.ts'
import { readUnderLoad } from './snapshots-under-load.ts'
import { restartOnlyServer } from './restart-only-server.ts'
import { takeOver } from './take-over.ts'
import { surviveKills } from './survive-kills.ts'

/**
 * Kills the controllers of a growing and shrinking fleet and of a warm pool, scales a fleet beyond
 * 10 000, and reads snapshots under load.
 */
export const fleets: Drill = {
  summary:
    'kill -9 of the controllers while a fleet scales and while members are claimed, a fleet of 10 001 members, and snapshots under load',
  cases: [
    { name: '2-kills', run: () => surviveKills(2, console.log) },
    {
      name: '10001-members',
      run: () => runTestFiles('test/fleets/controller/large-fleet.drill.ts'),
    },
    { name: '500-snapshots', run: () => readUnderLoad(500, console.log) },
    { name: '20-kills', run: () => surviveKills(20, console.log) },
    { name: 'restart', run: () => restartOnlyServer(2, console.log) },
    { name: 'takeover', run: () => takeOver(3, console.log) },
    { name: '100-claims', run: () => claimCleanMembers({ claims: 100, kills: 1 }, console.log) },
    { name: '2000-claims', run: () => claimCleanMembers({ claims: 2000, kills: 12 }, console.log) },
    { name: '10000-snapshots', run: () => readUnderLoad(10_000, console.log) },
  ],
}
