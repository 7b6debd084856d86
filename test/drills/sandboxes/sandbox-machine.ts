import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import pino from 'pino'
import { startEmbeddedPostgres } from '../../../src/embedded-postgres/start.ts'
import { type Program, startProgram } from '../../process/program.ts'
import { sandboxApi } from '../../sandboxes/kinds/sandbox-api.ts'
import { registerRuntime } from '../../sandboxes/support/register-runtime.ts'
import { startSandboxd, type TestSandboxd } from '../../sandboxes/support/start-sandboxd.ts'

/** A database, a server and a sandboxd in processes that can be killed. */
export interface SandboxMachine extends AsyncDisposable {
  readonly pool: pg.Pool
  readonly sandboxd: TestSandboxd
  readonly api: () => ReturnType<typeof sandboxApi>
  /** Kills the server and starts another one. */
  killServer(): Promise<void>
  /** Kills the runtime, but not its workloads, and starts it again. */
  killRuntime(): Promise<void>
}

/** Leases of the dead server end: the next one need not wait 15 seconds for them. */
const EXPIRE_LEASES = `
  with operations as (
    update sandbox_operations set lease_expires_time = now() where finished_time is null
  )
  delete from objects where resource = 'leases.coordination.k8s.io' and namespace = 'kube-system'`

export async function startSandboxMachine(driver = 'process'): Promise<SandboxMachine> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'flotilla-sandboxes-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }) })
  const pool = new pg.Pool({ connectionString: postgres.url })
  pool.on('error', () => undefined)
  const sandboxd = await startSandboxd()
  let program: Program | null = null
  let current = sandboxApi('')
  const start = async (): Promise<void> => {
    program = startProgram({ DATABASE_URL: postgres.url, ROLE: 'all', DATA_DIR: dataDir })
    const { port } = await program.ready()
    current = sandboxApi(`http://127.0.0.1:${port}`)
  }
  await start()
  const { machine, isolationClasses } = await sandboxd.connection.runtime.getRuntimeInfo({})
  const registration = await registerRuntime(() => current, {
    name: 'local',
    endpoint: sandboxd.endpoint,
    machine,
    driver,
    isolation: isolationClasses.map(({ name, separates, reason, isDefault }) => ({
      name,
      separates,
      reason,
      isDefault,
    })),
  })
  await current.create({
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'SnapshotProvider',
    metadata: { name: 'local' },
    spec: { providerType: driver, local: { path: `${sandboxd.directory}/snapshots` } },
  })
  return {
    pool,
    sandboxd,
    api: () => current,
    killServer: async () => {
      program?.kill('SIGKILL')
      await program?.exited
      await pool.query(EXPIRE_LEASES)
      await start()
    },
    killRuntime: async () => {
      await sandboxd.stop('SIGKILL')
      await sandboxd.restart()
    },
    [Symbol.asyncDispose]: async () => {
      await registration[Symbol.asyncDispose]()
      await program?.[Symbol.asyncDispose]()
      await sandboxd[Symbol.asyncDispose]()
      await pool.end()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
