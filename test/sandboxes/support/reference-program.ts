import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import {
  type ReferenceServer,
  startReferenceServer,
} from '../../drivers/reference/start-reference-server.ts'
import { type Program, startProgram } from '../../process/program.ts'
import { createTestDatabase } from '../../support/test-database.ts'
import { sandboxApi } from '../kinds/sandbox-api.ts'
import { registerRuntime } from './register-runtime.ts'
import { waitForConditions } from './sandbox-conditions.ts'

/** Servers in separate processes that can be killed, and a reference runtime that survives them. */
export interface ReferencePrograms extends AsyncDisposable {
  readonly reference: ReferenceServer
  readonly databaseUrl: string
  /** Requests to the server that was started last. */
  readonly api: () => ReturnType<typeof sandboxApi>
  readonly programs: readonly Program[]
  start(): Promise<Program>
  /** Ends a process as a crash does. */
  kill(program: Program): Promise<void>
  readonly waitFor: (
    name: string,
    ...conditions: readonly string[]
  ) => ReturnType<typeof waitForConditions>
}

export async function startReferencePrograms(): Promise<ReferencePrograms> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'reference-'))
  const reference = await startReferenceServer({
    listen: `unix:${path.join(directory, 's.sock')}`,
    directory,
  })
  const database = await createTestDatabase()
  const running: Program[] = []
  let current = sandboxApi('')
  const start = async (): Promise<Program> => {
    const program = startProgram({
      DATABASE_URL: database.url,
      DATABASE_OPTIONS: 'pool-size=40',
      STATEMENT_TIMEOUT: '300s',
      DATA_DIR: directory,
      ROLE: 'all',
    })
    running.push(program)
    const { port } = await program.ready()
    current = sandboxApi(`http://127.0.0.1:${port}`)
    return program
  }
  await start()
  const api = () => current
  const registration = await registerRuntime(api, {
    name: 'reference',
    endpoint: reference.endpoint,
    machine: 'reference-machine',
    driver: 'reference',
  })
  await current.create({
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'SnapshotProvider',
    metadata: { name: 'local' },
    spec: { providerType: 'reference', local: { path: '/snapshots' } },
  })
  return {
    reference,
    databaseUrl: database.url,
    api,
    programs: running,
    start,
    kill: async (program) => {
      program.kill('SIGKILL')
      await program.exited
      running.splice(running.indexOf(program), 1)
    },
    waitFor: (name, ...conditions) =>
      waitForConditions(() => current.getSandbox(name), ...conditions),
    [Symbol.asyncDispose]: async () => {
      await registration[Symbol.asyncDispose]()
      await Promise.all(running.map((program) => program[Symbol.asyncDispose]()))
      await database[Symbol.asyncDispose]()
      await reference[Symbol.asyncDispose]()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
