import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { freePort } from '../support/free-port.ts'
import { serverProgram } from '../support/server-program.ts'
import { createTestDatabase } from '../support/test-database.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SERVER = serverProgram()

/** A server whose standard output a test breaks. */
interface Server extends AsyncDisposable {
  readonly child: ChildProcess
  readonly stop: () => void
  readonly exited: Promise<number | null>
  get(path: string): Promise<number>
  /** The number of lost log lines. */
  lostLines(): Promise<number>
}

interface Options {
  readonly command?: readonly [string, ...string[]]
  readonly stdout?: 'pipe' | number
}

/** Starts the server on free ports and waits until it is ready. */
async function start(databaseUrl: string, options: Options = {}): Promise<Server> {
  const [port, healthPort, metricsPort] = [await freePort(), await freePort(), await freePort()]
  const [program, ...args] = options.command ?? [process.execPath, ...SERVER]
  const { PATH, HOME } = process.env
  const child = spawn(program, args, {
    cwd: ROOT,
    env: {
      PATH,
      HOME,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      HEALTH_PORT: String(healthPort),
      METRICS_PORT: String(metricsPort),
      // Else the last descendant of a terminal would be the server's sandboxd.
      SANDBOX_RUNTIME: 'off',
    },
    stdio: ['pipe', options.stdout ?? 'pipe', 'ignore'],
  })
  const exited = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null)
  const stop = (): void => void child.kill('SIGTERM')
  const get = async (path: string): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    await response.arrayBuffer()
    return response.status
  }
  await expect
    .poll(
      () => fetch(`http://127.0.0.1:${healthPort}/readyz`).then(({ status }) => status, String),
      {
        interval: 100,
      },
    )
    .toBe(200)
  return {
    child,
    stop,
    exited,
    get,
    lostLines: async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      return Number(/^flotilla_log_lines_lost_total (\d+)$/m.exec(metrics)?.[1])
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

async function expectService(server: Server): Promise<void> {
  for (let count = 0; count < 5; count += 1) {
    expect(await server.get(`${BASE_PATH}/clusters`)).toBe(200)
  }
}

describe('a log that cannot be written', () => {
  it('because of a full disk does not affect the start, requests, probes or shutdown', async () => {
    await using database = await createTestDatabase()
    const full = openSync('/dev/full', 'w')
    await using server = await start(database.url, { stdout: full })
    closeSync(full)
    await expectService(server)
    await expect.poll(() => server.lostLines()).toBeGreaterThanOrEqual(6)
    server.stop()
    expect(await server.exited).toBe(0)
  })

  it('because its reader is closed does not affect requests, probes or shutdown', async () => {
    await using database = await createTestDatabase()
    await using server = await start(database.url)
    server.child.stdout?.destroy()
    await expectService(server)
    await expect.poll(() => server.lostLines()).toBeGreaterThanOrEqual(5)
    server.stop()
    expect(await server.exited).toBe(0)
  })

  it('because its reader has stopped reading does not affect requests, probes or shutdown', async () => {
    await using database = await createTestDatabase()
    await using server = await start(database.url)
    // Far more than the buffer of a pipe: each line contains a path of up to 2048 characters.
    const path = `${BASE_PATH}/${'x'.repeat(2000)}`
    for (let count = 0; count < 6; count += 1) {
      const responses = await Promise.all(Array.from({ length: 50 }, () => server.get(path)))
      expect(new Set(responses)).toEqual(new Set([404]))
    }
    server.stop()
    expect(await server.exited).toBe(0)
  })

  it.skipIf(!hasScript())(
    'because its terminal is closed does not affect requests or probes',
    async () => {
      await using database = await createTestDatabase()
      const quoted = [process.execPath, ...SERVER].map((word) => `'${word}'`).join(' ')
      // In a separate session, the server does not receive the hang-up signal of the terminal.
      const command = ['script', '-qfc', `setsid -w ${quoted}`, '/dev/null'] as const
      await using server = await start(database.url, { command })
      const [pid] = descendants(server.child.pid ?? 0).slice(-1)
      server.child.kill('SIGKILL')
      await server.exited
      await expectService(server)
      await expect.poll(() => server.lostLines()).toBeGreaterThanOrEqual(5)
      process.kill(pid ?? 0, 'SIGTERM')
      await expect.poll(() => isAlive(pid ?? 0)).toBe(false)
    },
  )
})

function hasScript(): boolean {
  try {
    execFileSync('script', ['--version'])
    return true
  } catch {
    return false
  }
}

/** The descendants of a process. */
function descendants(pid: number): readonly number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number))
  const children = rows.filter(([, parent]) => parent === pid).map(([child = 0]) => child)
  return children.flatMap((child) => [child, ...descendants(child)])
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
