import type { Drill } from '../drill.ts'
import { surviveKills } from './survive-kills.ts'

/** Kills the server and the runtime during random operations on sandboxes. */
export const sandboxes: Drill = {
  summary: 'kill -9 of server and sandboxd during random operations on sandboxes',
  cases: [
    { name: '2-kills', run: () => surviveKills(2, console.log) },
    { name: '100-kills', run: () => surviveKills(100, console.log) },
  ],
}
