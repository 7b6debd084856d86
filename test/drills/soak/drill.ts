import type { Drill } from '../drill.ts'
import { runSoak } from './run-soak.ts'

/** Random faults of servers, PostgreSQL, network, disk and clocks under a load that verifies itself. */
export const soak: Drill = {
  summary: 'random faults under load: kill, pause, partition, slow and full disk, clock steps',
  cases: [
    { name: '1-minute', run: () => runSoak(60) },
    { name: '2-minutes', run: () => runSoak(120) },
    { name: '5-minutes', run: () => runSoak(300) },
    { name: '1-hour', run: () => runSoak(3600) },
  ],
}
