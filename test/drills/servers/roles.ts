import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Program, startProgram } from '../../process/program.ts'
import { withDatabase } from '../typescript-sdk/with-database.ts'
import { openFleet } from './fleet-client.ts'
import { SERVER_SETTINGS } from './rolling-restart.ts'

/** Time in which controllers would have created the members. */
const OBSERVED_MS = 3000

/** Runs the API and the controllers in separate processes, and each of them alone. */
export async function separateRoles(print: (line: string) => void): Promise<void> {
  await withDatabase(async (DATABASE_URL) => {
    const env = { ...SERVER_SETTINGS, DATABASE_URL }
    const startControllers = (): Program => startProgram({ ...env, ROLE: 'controllers' })
    const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 2 })
    // PostgreSQL may stop before it has processed the end of a connection.
    pool.on('error', () => undefined)
    try {
      await using api = startProgram({ ...env, ROLE: 'api' })
      const { port } = await api.ready()
      const fleet = openFleet({ origin: `http://127.0.0.1:${port}`, pool })
      await fleet.create(5)
      await sleep(OBSERVED_MS)
      assert.equal(await fleet.members(), 0, 'a process with ROLE=api ran controllers')
      print('  ROLE=api alone stores the fleet, and nothing creates its members')

      await using first = startControllers()
      const ports = await first.ready()
      assert.equal(ports.port, 0, 'a process with ROLE=controllers serves the API')
      const ready = await fetch(`http://127.0.0.1:${ports.healthPort}/readyz`)
      assert.equal(ready.status, 200, 'controllers serve their probes')
      await fleet.untilMembers((members) => members === 5)
      print('  ROLE=controllers creates the members')

      await using second = startControllers()
      await second.ready()
      await fleet.scale(50)
      api.kill('SIGKILL')
      await api.exited
      await fleet.untilMembers((members) => members === 50)
      print('  ROLE=controllers alone continues without any server of the API')

      const stoppedAt = performance.now()
      first.kill('SIGTERM')
      assert.equal(await first.exited, 0)
      await using another = startProgram({ ...env, ROLE: 'api' })
      const next = await another.ready()
      const same = openFleet({ origin: `http://127.0.0.1:${next.port}`, pool })
      await same.scale(10)
      await same.untilMembers((members) => members === 10)
      const seconds = ((performance.now() - stoppedAt) / 1000).toFixed(1)
      assert.ok((await same.leader()).includes(`_${second.pid}_`))
      print(`  after SIGTERM of the leader, another process has its lease within ${seconds} s`)
    } finally {
      await pool.end()
    }
  })
}
