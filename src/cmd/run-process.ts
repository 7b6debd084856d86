import { isatty } from 'node:tty'
import type { LiveSettings } from '../capability/live-settings.ts'
import { stopSignals } from '../lib/async/stop-signals.ts'
import type { openLog } from '../lib/log/open-log.ts'
import type { Kind } from '../store/registry/kind.ts'
import type { Config } from './config.ts'
import type { Overrides } from './overrides.ts'
import { createReloads } from './reload-settings.ts'

/** The overrides of the server that a process starts. */
export type ProcessOverrides = Overrides &
  Required<Pick<Overrides, 'kinds' | 'log' | 'onDatabaseExit' | 'signal'>>

/** A server whose settings can be read again. */
interface Running extends AsyncDisposable {
  readonly settings: LiveSettings<Config>
}

type OpenLog = Pick<Awaited<ReturnType<typeof openLog>>, 'log' | 'lostLines' | 'flush'>

interface Options<Server> extends OpenLog {
  readonly kinds: readonly Kind[]
  readonly start: (overrides: ProcessOverrides) => Promise<Server>
  /** The level of lines about its life, which a worker repeats after its supervisor. */
  readonly level: 'info' | 'debug'
}

/** Starts a server, runs it until a signal stops it, and ends the process. Rejects if it cannot start. */
export async function runProcess<Server extends Running>(
  { kinds, log, lostLines, flush, start, level }: Options<Server>,
  onReady: (server: Server) => Promise<void> | void,
): Promise<never> {
  const reloads = createReloads({ kinds, log, level })
  // A closed terminal sends SIGHUP too.
  const signals = stopSignals({ onHangup: hasTerminal() ? undefined : reloads.request })
  let exitCode = 0
  try {
    const server = await start({
      log,
      kinds,
      lostLogLines: lostLines,
      signal: signals.signal,
      onDatabaseExit: () => {
        log.fatal('the embedded PostgreSQL ended by itself')
        exitCode = 1
        signals.stop('database')
      },
    })
    reloads.start(server)
    await onReady(server)
    const reason = await signals.received
    log[level]({ reason }, 'shutting down')
    await server[Symbol.asyncDispose]()
    log[level]('stopped')
  } catch (error) {
    if (!signals.signal.aborted) throw error
    log[level]('stopped before it was ready')
  } finally {
    await flush()
  }
  process.exit(exitCode)
}

function hasTerminal(): boolean {
  return [0, 1, 2].some((descriptor) => isatty(descriptor))
}
