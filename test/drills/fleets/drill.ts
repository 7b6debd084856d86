import type { Drill } from '../drill.ts'
import { surviveKills } from './survive-kills.ts'

/** Kills the controllers of a growing and shrinking fleet. */
export const fleets: Drill = {
  summary: 'kill -9 of the controllers while a fleet scales',
  cases: [
    { name: '2-kills', run: () => surviveKills(2, console.log) },
    { name: '20-kills', run: () => surviveKills(20, console.log) },
  ],
}
