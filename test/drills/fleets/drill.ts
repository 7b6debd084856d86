import type { Drill } from '../drill.ts'
import { runTestFiles } from '../run-test-files.ts'
import { surviveKills } from './survive-kills.ts'

/** Kills the controllers of a growing and shrinking fleet, and scales a fleet beyond 10 000. */
export const fleets: Drill = {
  summary: 'kill -9 of the controllers while a fleet scales, and a fleet of 10 001 members',
  cases: [
    { name: '2-kills', run: () => surviveKills(2, console.log) },
    {
      name: '10001-members',
      run: () => runTestFiles('test/fleets/controller/large-fleet.drill.ts'),
    },
    { name: '20-kills', run: () => surviveKills(20, console.log) },
  ],
}
