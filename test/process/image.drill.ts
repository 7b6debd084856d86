import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SETTINGS } from '../../src/cmd/settings.ts'
import { hasEnded } from '../../src/lib/processes/has-ended.ts'
import { createDatabaseDirectory } from '../support/database-directory.ts'
import { freePort } from '../support/free-port.ts'
import { bytesIn, lockedPackages, productionPackages } from './production-tree.ts'
import { type UnpackedImage, unpackImage } from './unpacked-image.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

describe('the image', () => {
  let folder = ''
  let image: UnpackedImage
  let app = ''

  beforeAll(async () => {
    // In memory, the build takes half of the processor time.
    folder = await createDatabaseDirectory('flotilla-image-')
    image = await unpackImage(root, folder)
    app = path.join(image.root, image.config.WorkingDir)
  }, 600_000)

  afterAll(async () => {
    if (app !== '') await image[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  function start(env: Record<string, string>, ...more: string[]): ChildProcess {
    return image.start([...image.config.Cmd, ...more], env)
  }

  it('prints the table of settings', async () => {
    const server = start({}, '--help')
    const printed = await server.stdout?.setEncoding('utf8').toArray()
    for (const { env } of Object.values(SETTINGS)) expect(printed?.join('')).toContain(env)
  })

  it('starts as an ordinary user', () => {
    expect(image.config.User).toBe('node')
  })

  it('contains only the production packages of the lock file', async () => {
    const [installed, locked] = await Promise.all([
      lockedPackages(path.join(app, 'node_modules/.package-lock.json')),
      productionPackages(),
    ])
    const required = [...locked].filter(([, { optional }]) => optional !== true)
    expect([...installed.keys()].filter((place) => !locked.has(place))).toEqual([])
    expect(required.map(([place]) => place).filter((place) => !installed.has(place))).toEqual([])
    const folders = await readdir(path.join(app, 'node_modules'))
    expect(folders).not.toContain('prisma')
    expect(folders).not.toContain('typescript')
  })

  it('takes at most 220 MB besides Node', async () => {
    expect(await bytesIn(app)).toBeLessThan(220 * 2 ** 20)
  })

  it('contains neither tests nor tools', async () => {
    const { stdout } = await run('find', ['dist', '-name', '*.test.*', '-o', '-name', 'tools'], {
      cwd: app,
    })
    expect(stdout).toBe('')
  })

  it('becomes ready, passes its health check and stops with exit code 0', async () => {
    const healthPort = await freePort()
    const env = {
      HOST: '127.0.0.1',
      PORT: '0',
      HEALTH_PORT: String(healthPort),
      METRICS_PORT: '0',
    }
    const server = start(env)
    const printed: string[] = []
    for (const output of [server.stdout, server.stderr]) {
      output?.setEncoding('utf8').on('data', (text: string) => printed.push(text))
    }
    try {
      await untilReady(healthPort, server)
      const [kind, ...healthcheck] = image.config.Healthcheck?.Test ?? []
      expect(kind).toBe('CMD')
      const [code] = await once(image.start(healthcheck, { HEALTH_PORT: env.HEALTH_PORT }), 'exit')
      expect(code).toBe(0)
    } catch (error) {
      throw new Error(`the server did not start:\n${printed.join('')}`, { cause: error })
    } finally {
      server.kill('SIGTERM')
    }
    if (!hasEnded(server)) await once(server, 'exit')
    expect(server.exitCode).toBe(0)
  }, 120_000)

  it('exits without JWT settings unless AUTH_DISABLED allows it', async () => {
    const server = start({})
    const [complaint, [exitCode]] = await Promise.all([
      server.stderr?.setEncoding('utf8').toArray(),
      once(server, 'exit'),
    ])
    expect(complaint?.join('')).toContain('AUTH_DISABLED')
    expect(exitCode).toBe(1)
  })
})

/** Resolves when the server on a port for health is ready. Rejects if its program ends before. */
async function untilReady(healthPort: number, server: ChildProcess): Promise<void> {
  while (!hasEnded(server)) {
    const response = await fetch(`http://127.0.0.1:${healthPort}/readyz`).catch(() => null)
    if (response?.ok) return
    await sleep(100)
  }
  throw new Error(`exit code ${server.exitCode}, signal ${server.signalCode}`)
}
