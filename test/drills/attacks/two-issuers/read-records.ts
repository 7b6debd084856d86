import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { BASE_PATH } from '../../../../src/hyperfleet/paths/base-path.ts'
import type { AttackLog } from '../attack-log.ts'
import { queryDatabase } from '../postgres.ts'
import { assertStatus, type RawRequest } from '../raw-request.ts'
import { type IssuerServer, SECRETS } from './issuer-server.ts'

const TIMEOUT_MS = 60_000
const AUDIT = `${BASE_PATH}/audit`
const SNAPSHOTS = `${BASE_PATH}/snapshots`
const WEBHOOKS = `${BASE_PATH}/webhooks`

/** Users that may read neither the audit log nor webhooks. */
const UNRELATED = ['reader@x', 'writer@x', 'adapter@x', 'reporter@x', 'scoped@x', 'stranger@x']

/** Searches and pages that could show more than the plain list. */
const AUDIT_QUERIES = [
  '',
  '?limit=1000',
  `?search=${encodeURIComponent("plane != ''")}`,
  `?search=${encodeURIComponent("resource = 'configmaps'")}`,
  `?search=${encodeURIComponent("name = 'secret' or plane = ''")}`,
]

/** Other spellings of the path of the audit log. */
const AUDIT_SPELLINGS = [
  AUDIT,
  `${AUDIT}/`,
  `${AUDIT}#`,
  `${AUDIT};x`,
  `${AUDIT}%2f`,
  `${AUDIT}/.`,
  `${AUDIT}/x/..`,
  `${BASE_PATH}//audit`,
  `${BASE_PATH}/AUDIT`,
  `${BASE_PATH}/%61udit`,
  `${BASE_PATH}/./audit`,
  `${BASE_PATH}/x/../audit`,
  `${BASE_PATH}\\audit`,
  `http://127.0.0.1${AUDIT}`,
  `/${AUDIT}`,
]

/** Reads the audit log and webhooks with roles that do not include them. */
export async function readRecords(server: IssuerServer, { attack }: AttackLog): Promise<void> {
  const { user, webhookId, databaseUrl } = server
  await readPlane(server)
  await untilAudited(server)
  for (const query of AUDIT_QUERIES) {
    for (const name of [...UNRELATED, 'hooks@x']) {
      await attack(`${AUDIT}${query} as ${name}`, async () =>
        assertStatus(await user(name).send({ target: AUDIT + query }), 403),
      )
    }
    await attack(`events of a plane as an auditor, ${query}`, async () => {
      const answer = await user('auditor@x').send({ target: AUDIT + query })
      assertStatus(answer, 200)
      const { items } = JSON.parse(answer.text)
      const disclosing = items.filter((item: object) =>
        JSON.stringify(item).includes(SECRETS.ofPlane),
      )
      assert.deepEqual(
        disclosing.map(({ method, path }: Record<string, string>) => `${method} ${path}`),
        [],
      )
    })
  }
  for (const target of AUDIT_SPELLINGS) {
    for (const method of ['GET', 'HEAD', 'POST']) {
      await attack(`${method} ${target} as a reader`, async () => {
        const { status, text } = await user('reader@x').send({ method, target })
        assert.ok(status >= 400, `${status}: ${text}`)
      })
    }
  }
  for (const request of webhookRequests(webhookId)) {
    for (const name of [...UNRELATED, 'auditor@x']) {
      await attack(`${request.method ?? 'GET'} ${request.target} as ${name}`, async () =>
        assertStatus(await user(name).send(request), 403),
      )
    }
  }
  await attack('deny service to the administrator of webhooks', async () =>
    assertStatus(await user('hooks@x').send({ target: WEBHOOKS }), 200),
  )
  await attack('read the URL of a webhook in the database', async () => {
    assert.deepEqual(await tablesWith(databaseUrl, SECRETS.ofWebhook), [])
  })
}

function webhookRequests(id: string): readonly RawRequest[] {
  const webhook = `${WEBHOOKS}/${id}`
  return [
    { target: WEBHOOKS },
    { target: webhook },
    { target: `${webhook}/deliveries` },
    { target: `${webhook}/dead-letters` },
    { method: 'POST', target: WEBHOOKS, body: { url: 'http://127.0.0.1:9/' } },
    { method: 'PATCH', target: webhook, body: { state: 'active' } },
    { method: 'POST', target: `${webhook}/rotate-secret` },
    { method: 'POST', target: `${webhook}/test` },
    { method: 'DELETE', target: webhook },
  ]
}

/** Lets the administrator read the secret of the plane in every way that the log could record. */
async function readPlane({ admin, clusterId }: IssuerServer): Promise<void> {
  const body = { ids: [clusterId], minResourceVersion: 'latest' }
  for (const request of [
    { target: `/clusters/${clusterId}/control-plane/api/v1/configmaps` },
    { target: `/clusters/${clusterId}/control-plane/snapshot?minResourceVersion=latest` },
    { method: 'POST', target: SNAPSHOTS, body },
  ]) {
    const response = await admin.send(request)
    assertStatus(response, 200)
    assert.ok(response.text.includes(SECRETS.ofPlane), `${request.target} lacks the secret`)
  }
}

/** Waits until the administrator can read the requests for the secret in the audit log. */
async function untilAudited({ admin }: IssuerServer): Promise<void> {
  const end = performance.now() + TIMEOUT_MS
  for (;;) {
    const { text } = await admin.send({ target: `${AUDIT}?limit=1000` })
    if (text.includes(SECRETS.ofPlane) && text.includes(`"path":"${SNAPSHOTS}"`)) return
    assert.ok(performance.now() < end, `the log lacks the request: ${text.slice(0, 1000)}`)
    await sleep(100)
  }
}

/** The tables of a stolen database that contain a text outside of the audit log. */
async function tablesWith(databaseUrl: string, secret: string): Promise<readonly string[]> {
  const tables = await queryDatabase<{ name: string }>(
    databaseUrl,
    `select format('%I', table_name) as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  assert.ok(tables.length > 0)
  const found: string[] = []
  for (const { name } of tables) {
    const text = `select 1 from ${name} as row where row::text like '%${secret}%' limit 1`
    if ((await queryDatabase(databaseUrl, text)).length > 0) found.push(name)
  }
  return found
}
