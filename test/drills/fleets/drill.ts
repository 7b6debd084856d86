import type { Drill } from '../drill.ts'
import { runTestFiles } from '../run-test-files.ts'
import { claimCleanMembers } from './claim-clean-members.ts'
import { surviveKills } from './survive-kills.ts'

/**
 * Kills the controllers of a growing and shrinking fleet and of a warm pool, and scales a fleet
 * beyond 10 000.
 */
export const fleets: Drill = {
  summary:
    'kill -9 of the controllers while a fleet scales and while members are claimed, and a fleet of 10 001 members',
  cases: [
    { name: '2-kills', run: () => surviveKills(2, console.log) },
    {
      name: '10001-members',
      run: () => runTestFiles('test/fleets/controller/large-fleet.drill.ts'),
    },
    { name: '20-kills', run: () => surviveKills(20, console.log) },
    { name: '100-claims', run: () => claimCleanMembers({ claims: 100, kills: 1 }, console.log) },
    { name: '2000-claims', run: () => claimCleanMembers({ claims: 2000, kills: 12 }, console.log) },
  ],
}
