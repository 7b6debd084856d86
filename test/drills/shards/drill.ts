import type { Drill, DrillCase } from '../drill.ts'
import { measureRouting } from './measure-routing.ts'
import { moveUnderLoad } from './moves-under-load.ts'

const moves = (count: number): DrillCase => ({
  name: `${count}-moves`,
  run: () => moveUnderLoad(count, console.log),
})

/** Shards with a directory on one machine. */
export const shards: Drill = {
  summary: 'tenants move between shards under load, and moves are killed; costs',
  cases: [
    moves(4),
    moves(20),
    { name: 'costs', run: () => measureRouting(console.log) },
    {
      name: 'fence',
      run: async () => {
        // It loads the whole server, through tsx: up to 12 s of CPU, which the other cases save.
        const { measureFence } = await import('./measure-fence.ts')
        await measureFence(console.log)
      },
    },
  ],
}
