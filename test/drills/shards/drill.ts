import type { Drill, DrillCase } from '../drill.ts'
import { runTestFiles } from '../run-test-files.ts'
import { measureRouting } from './measure-routing.ts'
import { moveUnderLoad } from './moves-under-load.ts'

const moves = (count: number): DrillCase => ({
  name: `${count}-moves`,
  run: () => moveUnderLoad(count, console.log),
})

/** Shards with a directory on one machine. */
export const shards: Drill = {
  summary: 'tenants move between shards, under load too; moves are killed and paused; costs',
  cases: [
    {
      // Not in slow-tests: moves and the removal of tenants wait for the transactions of all databases
      // of the server of PostgreSQL, and these files hold some while programs start.
      name: 'interrupted-moves',
      run: () => runTestFiles('test/shards/moves.drill.ts', 'test/shards/aborted-moves.drill.ts'),
    },
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
