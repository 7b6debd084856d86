import type { Drill } from '../drill.ts'
import { drainDueItems } from './drain-due-items.ts'

/** Many workers of one adapter on two servers. */
export const adapterWork: Drill = {
  summary: 'workers on two servers lease 50 000 due clusters, each exactly once',
  cases: [
    { name: '2000-due', run: () => drainDueItems(2000, console.log) },
    { name: '50000-due', run: () => drainDueItems(50_000, console.log) },
  ],
}
