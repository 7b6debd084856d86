import { writeSync } from 'node:fs'
import { openLog } from '../../lib/log/open-log.ts'
import type { Configuration } from '../run-server.ts'
import { runProcess } from '../run-process.ts'
import { startWhenAvailable } from '../start-when-available.ts'
import { createWorkerProbes, tellSupervisor } from './answer-supervisor.ts'
import type { Assignment } from './assignment.ts'
import { endWhenStalled } from './end-when-stalled.ts'

/** The supervisor writes the lines, because those of several processes would mix in a pipe. */
const LOG = {
  write: (bytes: Buffer, done: (error: Error | null, written: number) => void) => {
    tellSupervisor({ type: 'log', lines: bytes.toString() }, (error) => done(error, bytes.length))
  },
  writeSync: (bytes: Buffer) => writeSync(1, bytes),
}

/** Runs this process as a part of a server, until its supervisor ends it. */
export async function runWorker(
  { kinds, config }: Configuration,
  { number, role, databaseUrl, ...ports }: Assignment,
): Promise<void> {
  const openedLog = await openLog(config, LOG)
  const log = openedLog.log.child({ worker: number })
  const settings = { ...config, role, databaseUrl: databaseUrl ?? config.databaseUrl }
  const probes = createWorkerProbes(ports)
  const worker = { showProbes: probes.show, apiPort: ports.apiPort }
  const start = (overrides: Parameters<typeof startWhenAvailable>[1]) =>
    startWhenAvailable(settings, { ...overrides, worker })
  await runProcess({ ...openedLog, log, kinds, start, level: 'debug' }, ({ port }) => {
    endWhenStalled(number)
    tellSupervisor({ type: 'ready', port, checks: probes.checks() })
  })
}
