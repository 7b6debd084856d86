import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '../support/test-database.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ESCAPES = new RegExp(`${String.fromCodePoint(27)}\\[[0-9;]*m`, 'g')

const SERVER = `
  const { runFromCommandLine } = await import('./dist/cmd/command-line.js')
  await runFromCommandLine({ banner: true })`

/** The output of a terminal so far. */
interface Terminal extends AsyncDisposable {
  /** Closes the terminal, as a closed window does. */
  hangUp(): void
  shown(): string
}

/** Runs the server with its banner in a terminal. */
function startInTerminal(env: NodeJS.ProcessEnv): Terminal {
  const words = [process.execPath, '--input-type=module', '--eval', SERVER]
  const command = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const { PATH, HOME } = process.env
  const ports = { PORT: '0', HEALTH_PORT: '0', METRICS_PORT: '0', SANDBOX_RUNTIME: 'off' }
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    cwd: ROOT,
    env: { PATH, HOME, TERM: 'xterm', ...ports, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text))
  const exited = once(child, 'exit')
  return {
    hangUp: () => void child.kill('SIGKILL'),
    shown: () => shown.replaceAll(ESCAPES, '').replaceAll('\r\n', '\n'),
    [Symbol.asyncDispose]: async () => {
      child.stdin.write('\u0003')
      await exited
    },
  }
}

describe('a server on a terminal', () => {
  it.skipIf(!hasScript())('stops when the terminal is closed', async () => {
    await using database = await createTestDatabase()
    await using terminal = startInTerminal({ DATABASE_URL: database.url })
    await expect.poll(() => terminal.shown()).toContain('README.md')
    const [, port] = /"port":(\d+)/.exec(terminal.shown()) ?? []
    const origin = `http://127.0.0.1:${port}`
    expect((await fetch(origin)).status).toBeLessThan(500)
    terminal.hangUp()
    const isServed = () =>
      fetch(origin).then(
        () => true,
        () => false,
      )
    await expect.poll(isServed).toBe(false)
  })

  it.skipIf(!hasScript())('logs readable lines and prints the banner last', async () => {
    await using database = await createTestDatabase()
    await using terminal = startInTerminal({ DATABASE_URL: database.url })
    await expect.poll(() => terminal.shown()).toContain('README.md')
    expect(terminal.shown()).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: ready \{.*"port":\d+/m)
    expect(terminal.shown()).not.toContain('{"level"')
    // Only warnings may follow the banner.
    const banner = terminal.shown().indexOf('Flotilla is ready.')
    expect(terminal.shown().lastIndexOf('INFO: ')).toBeLessThan(banner)
    const api = /API +(http:\S+)/.exec(terminal.shown())?.[1] ?? ''
    await fetch(`${api}/clusters`)
    await expect
      .poll(() => terminal.shown())
      .toMatch(/INFO: GET \/api\/hyperfleet\/v1\/clusters 200 [\d.]+ ms$/m)
    await fetch(`${api}/clusters/none`, { headers: { 'X-Request-ID': 'mine' } })
    await expect
      .poll(() => terminal.shown())
      .toMatch(/GET \S+\/clusters\/none 404 [\d.]+ ms HYPERFLEET-NTF-001 \(request mine\)$/m)
  })
})

function hasScript(): boolean {
  try {
    execFileSync('script', ['--version'])
    return true
  } catch {
    return false
  }
}
