import assert from 'node:assert/strict'
import { createServer, request, type Server } from 'node:http'
import { connect, createServer as createRelay, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { migrate } from '../../../../src/store/database/migrate.ts'
import { listen } from '../../../../src/lib/listen.ts'
import { startDrillPostgres } from '../../drill-postgres.ts'
import { type ChromiumBrowser, launchChromium } from '../browser/launch-chromium.ts'
import { buildConsole } from '../rig/build-console.ts'
import { type ConsoleServer, startConsoleServer } from '../rig/console-server.ts'
import { FOREIGN_REQUESTS } from './foreign-requests.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url))
const CREATION = `fetch('/api/hyperfleet/v1/clusters', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ kind: 'Cluster', name: 'NAME', spec: {} }),
}).then(({ status }) => status)`

/** No request may create a sandbox, so none needs a runtime. */
const WITHOUT_RUNTIME = { SANDBOX_RUNTIME: 'off' }

/** In Chromium, a default server rejects pages of other origins and serves its own. */
export async function refuseForeignPages(): Promise<void> {
  await using browser = await launchChromium(['--host-resolver-rules=MAP evil.example 127.0.0.1'])
  await buildConsole()
  await using postgres = await startDrillPostgres()
  const { url: databaseUrl } = postgres
  await migrate(databaseUrl, MIGRATIONS)
  await using server = await startConsoleServer({
    databaseUrl,
    env: { ...WITHOUT_RUNTIME, PLANES_ON_FIRST_ACCESS: 'true' },
  })
  await refuseRequests(browser, server)
  await refuseReboundName(browser, server)
  await serveOwnPages(browser, server, databaseUrl)
}

/** Sends each request from a page of another port, which is the same site, and of another site. */
async function refuseRequests(browser: ChromiumBrowser, server: ConsoleServer): Promise<void> {
  const pages = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><body>')
  })
  const port = await listen(pages, 0, '127.0.0.1')
  try {
    for (const host of ['127.0.0.1', 'localhost', 'evil.example']) {
      await using window = await browser.newContext()
      const page = await window.newPage()
      await page.goto(`http://${host}:${port}/`)
      for (const { name, run } of FOREIGN_REQUESTS) {
        await page.evaluate(`(async () => { const server = '${server.origin}'; await ${run} })()`)
        assert.deepEqual(await contentOf(server), [], `${name} of ${host} changed something`)
      }
    }
  } finally {
    close(pages)
  }
}

/** The names of the clusters and the sandboxes. */
async function contentOf({ origin }: ConsoleServer): Promise<readonly string[]> {
  const paths = ['/api/hyperfleet/v1/clusters', '/apis/agents.x-k8s.io/v1beta1/sandboxes']
  const lists = await Promise.all(
    paths.map(async (path) => {
      const response = await fetch(origin + path)
      assert.equal(response.status, 200)
      const { items }: { items: { name?: string; metadata?: { name: string } }[] } = JSON.parse(
        await response.text(),
      )
      return items.map(({ name, metadata }) => name ?? metadata?.name ?? '')
    }),
  )
  return lists.flat()
}

/** After the page was loaded, the address of its name belongs to the server. */
async function refuseReboundName(browser: ChromiumBrowser, server: ConsoleServer): Promise<void> {
  const pages = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html>')
  })
  let port = await listen(pages, 0, '127.0.0.1')
  const sockets = new Set<Socket>()
  const relay = createRelay((socket) => {
    const onward = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy()).pipe(to)
    }
  })
  try {
    await using window = await browser.newContext()
    const page = await window.newPage()
    await page.goto(`http://evil.example:${await listen(relay, 0, '127.0.0.1')}/`)
    port = Number(new URL(server.origin).port)
    for (const socket of sockets) socket.destroy()
    const read = `fetch('/api/v1/namespaces/default/secrets').then(({ status }) => status)`
    assert.deepEqual([await page.evaluate(read), await create(page, 'rebound')], [421, 421])
    assert.deepEqual(await contentOf(server), [])
  } finally {
    for (const socket of sockets) socket.destroy()
    relay.close()
    close(pages)
  }
}

/** The console's own pages may write, also behind a proxy that PUBLIC_URL names. */
async function serveOwnPages(
  browser: ChromiumBrowser,
  server: ConsoleServer,
  databaseUrl: string,
): Promise<void> {
  let target = server.origin
  const proxy = createServer((incoming, response) => {
    const { method, url = '/', headers } = incoming
    const host = new URL(target).host
    const outgoing = request(target + url, { method, headers: { ...headers, host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    outgoing.on('error', () => response.destroy())
    incoming.pipe(outgoing)
  })
  const origin = `http://127.0.0.1:${await listen(proxy, 0, '127.0.0.1')}`
  try {
    await using window = await browser.newContext()
    const page = await window.newPage()
    const createAt = async (address: string, name: string): Promise<unknown> => {
      await page.goto(`${address}/console/settings`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      return await create(page, name)
    }
    assert.equal(await createAt(server.origin, 'at-address'), 201)
    assert.equal(await createAt(server.origin.replace('127.0.0.1', 'localhost'), 'at-name'), 201)
    assert.equal(await createAt(origin, 'behind-proxy'), 403)
    await using published = await startConsoleServer({
      databaseUrl,
      env: { ...WITHOUT_RUNTIME, PUBLIC_URL: origin },
    })
    target = published.origin
    assert.equal(await createAt(origin, 'behind-proxy'), 201)
    assert.equal(await createAt(published.origin, 'beside-proxy'), 403)
  } finally {
    close(proxy)
  }
}

function create(page: Page, name: string): Promise<unknown> {
  return page.evaluate(CREATION.replace('NAME', name))
}

function close(server: Server): void {
  server.close()
  server.closeAllConnections()
}
