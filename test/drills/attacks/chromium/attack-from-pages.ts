import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { BASE_PATH } from '../../../../src/hyperfleet/paths/base-path.ts'
import { listen } from '../../../../src/lib/listen.ts'
import { type ChromiumBrowser, launchChromium } from '../../console/browser/launch-chromium.ts'
import type { AttackLog } from '../attack-log.ts'
import type { DefaultServer } from '../default-server/default-server.ts'
import { sandboxOf } from '../default-server/sandbox.ts'
import { sendRaw } from '../raw-request.ts'
import { PAGE_ATTACKS, type PageAttack, scriptOf } from './page-attacks.ts'
import { startTwinServer, type TwinServer } from './twin-server.ts'

const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'
const CLUSTERS = `${BASE_PATH}/clusters`
/** A page on another port is of the same site, one with another name is not. */
const PAGE_HOSTS = ['127.0.0.1', 'localhost', 'evil.example']

interface Attacked {
  readonly server: DefaultServer
  readonly twin: TwinServer
  readonly browser: ChromiumBrowser
  readonly log: AttackLog
}

/**
 * Attacks the server from pages of other origins in Chromium. Every attack is also made on a server
 * that accepts everything and must arrive there, so that none fails for another reason.
 */
export async function attackFromPages(server: DefaultServer, log: AttackLog): Promise<void> {
  await using browser = await launchChromium(['--host-resolver-rules=MAP *.example 127.0.0.1'])
  await using twin = await startTwinServer()
  await using pages = await servePages()
  const attacked = { server, twin, browser, log }
  for (const host of PAGE_HOSTS) {
    await using context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`http://${host}:${pages.port}/`)
    for (const attack of PAGE_ATTACKS) {
      if (attack.creates) await create(page, attack, attacked)
      else await read(page, attack, attacked)
    }
  }
  await rebind(attacked)
  await usePageOfServer(attacked)
}

/** Pages of another origin, which can also redirect. */
async function servePages(): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer(({ url = '' }, response) => {
    const to = new URL(url, 'http://pages').searchParams.get('to')
    if (to === null) response.setHeader('Content-Type', 'text/html').end('<!doctype html><body>')
    else response.writeHead(307, { Location: to }).end()
  })
  return {
    port: await listen(server, 0, '127.0.0.1'),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

let marks = 0
const newMark = (): string => `page-${(marks += 1)}`

async function create(page: Page, attack: PageAttack, { server, twin, log }: Attacked) {
  const creations = [
    { target: SANDBOXES, objectOf: (name: string) => sandboxOf(name, ['/bin/sleep', '1000']) },
    { target: CLUSTERS, objectOf: (name: string) => ({ kind: 'Cluster', name, spec: {} }) },
  ]
  for (const { target, objectOf } of creations) {
    const mark = newMark()
    const json = JSON.stringify(objectOf(mark))
    const { origin } = server
    await log.attack(`${attack.name} from ${page.url()} creates at ${target}`, async () => {
      await page.evaluate(scriptOf(attack, twin.origin + target, json))
      assert.ok(twin.hasReceived(mark), 'the attack did not arrive at the twin')
      const answer = await page.evaluate(scriptOf(attack, origin + target, json))
      assert.equal(answer, null)
      const { text } = await sendRaw(origin, { target: `${target}?pageSize=100` })
      assert.ok(!text.includes(`"${mark}"`), 'the object exists')
    })
  }
}

async function read(page: Page, attack: PageAttack, { server, twin, log }: Attacked) {
  const targets = [
    `${CLUSTERS}?watch=true`,
    CLUSTERS,
    '/api/v1/namespaces/default/secrets',
    `${SANDBOXES}/x/exec?command=/bin/true`,
  ]
  const { origin } = server
  for (const target of targets.filter((one) => !endless(attack, one))) {
    await log.attack(`${attack.name} from ${page.url()} reads ${target}`, async () => {
      const there = await page.evaluate(scriptOf(attack, `${twin.origin}/image${target}`, ''))
      assert.notEqual(there, null, 'the twin cannot be read')
      assert.equal(await page.evaluate(scriptOf(attack, origin + target, '')), null)
    })
  }
}

/** A watch ends only if the page may not read it. */
function endless({ name }: PageAttack, target: string): boolean {
  return target.includes('watch') && name === 'an image'
}

/** A page whose name has been bound to the address of the server. */
async function rebind({ server, browser, log }: Attacked): Promise<void> {
  const { origin } = server
  const { port } = new URL(origin)
  await using context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`http://rebound.example:${port}${CLUSTERS}`)
  const mark = newMark()
  await log.attack('read from a page with a rebound name', async () => {
    const status = await page.evaluate(`fetch('${CLUSTERS}').then(({ status }) => status)`)
    assert.equal(status, 421)
  })
  await log.attack('create from a page with a rebound name', async () => {
    const body = JSON.stringify({ kind: 'Cluster', name: mark, spec: {} })
    const options = `{ method: 'POST', body: '${body}', headers: { 'Content-Type': 'application/json' } }`
    await page.evaluate(`fetch('${CLUSTERS}', ${options}).then(({ status }) => status)`)
    const { text } = await sendRaw(origin, { target: `${CLUSTERS}?pageSize=100` })
    assert.ok(!text.includes(`"${mark}"`), 'the cluster exists')
  })
}

/** Pages of the server itself still work. */
async function usePageOfServer({ server, browser, log }: Attacked): Promise<void> {
  await using context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${server.origin}${BASE_PATH}/openapi.html`)
  await log.attack('deny service to a page of the server', async () => {
    const body = JSON.stringify({ kind: 'Cluster', name: newMark(), spec: {} })
    const options = `{ method: 'POST', body: '${body}', headers: { 'Content-Type': 'application/json' } }`
    const status = await page.evaluate(`fetch('${CLUSTERS}', ${options}).then((r) => r.status)`)
    assert.equal(status, 201)
  })
}
