import type { Drill } from '../drill.ts'
import { runTestFiles } from '../run-test-files.ts'
import { pauseLeader } from './paused-leader.ts'
import { killServers } from './random-kills.ts'
import { separateRoles } from './roles.ts'
import { rollBackServers } from './rollback.ts'
import { upgradeServers } from './rolling-upgrade.ts'
import { restartServers } from './rolling-restart.ts'

/** Four servers of one database behind one address, under a load that verifies every write. */
export const servers: Drill = {
  summary: 'four servers behind HAProxy: restarts, kills, roles, paused controllers and an upgrade',
  cases: [
    { name: 'rolling-restart', run: () => restartServers(console.log) },
    { name: '4-kills', run: () => killServers(4, console.log) },
    { name: 'roles', run: () => separateRoles(console.log) },
    { name: 'paused-leader', run: () => pauseLeader(console.log) },
    { name: 'rolling-upgrade', run: () => upgradeServers(console.log) },
    { name: 'rollback', run: () => rollBackServers(console.log) },
    { name: 'audit', run: () => runTestFiles('test/audit/restarts.drill.ts') },
    { name: '40-kills', run: () => killServers(40, console.log) },
  ],
}
