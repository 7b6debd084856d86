import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { listen } from '../../../src/lib/listen.ts'
import { startProgram } from '../../process/program.ts'
import { Skipped } from '../drill.ts'
import { runTool } from '../run-tool.ts'
import { NO_ADAPTERS, withDatabase } from './with-database.ts'

const PACKAGE = fileURLToPath(new URL('../../../clients/typescript/', import.meta.url))
const PAGE = fileURLToPath(new URL('page.mjs', import.meta.url))
const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const TIMEOUT_MS = 60_000

const EXPECTED = [
  'conflict true HYPERFLEET-CNF-001',
  'watch ADDED BOOKMARK MODIFIED',
  'upsert replaced',
  'state 1',
  'fleet 2',
  'claim true true',
]

/** Uses the SDK in a page of another origin than the server. */
export async function runInChromium(): Promise<void> {
  const executablePath = PROGRAMS.find((program) => existsSync(program))
  if (executablePath === undefined) throw new Skipped('Chromium is not installed')
  await runTool('npm', ['run', 'build'], { cwd: PACKAGE, timeoutMs: TIMEOUT_MS })
  const { pages, origin } = await servePages()
  try {
    await withDatabase(async (DATABASE_URL) => {
      await using server = startProgram({ DATABASE_URL, CORS_ORIGINS: origin, ...NO_ADAPTERS })
      const { port } = await server.ready()
      const lines = await inPage(executablePath, origin, `http://127.0.0.1:${port}`)
      assert.deepEqual(lines, EXPECTED)
    })
  } finally {
    pages.close()
    pages.closeAllConnections()
  }
}

async function inPage(executablePath: string, origin: string, server: string): Promise<unknown> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    await page.goto(origin)
    const call = `run('${origin}/dist/index.js', '${server}')`
    return await page.evaluate(`import('${origin}/page.mjs').then(({ run }) => ${call})`)
  } finally {
    await browser.close()
  }
}

/** Serves the build of the SDK and the program of the page. */
async function servePages(): Promise<{ readonly pages: Server; readonly origin: string }> {
  const pages = createServer(({ url = '/' }, response) => {
    const file = url === '/page.mjs' ? PAGE : path.join(PACKAGE, path.posix.normalize(url))
    if (url === '/') {
      response.setHeader('Content-Type', 'text/html').end('<!doctype html>')
      return
    }
    readFile(file).then(
      (text) => response.setHeader('Content-Type', 'text/javascript').end(text),
      () => response.writeHead(404).end(),
    )
  })
  return { pages, origin: `http://127.0.0.1:${await listen(pages, 0, '127.0.0.1')}` }
}
