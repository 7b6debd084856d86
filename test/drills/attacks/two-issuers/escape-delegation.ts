import assert from 'node:assert/strict'
import type { AttackLog } from '../attack-log.ts'
import { assertStatus } from '../raw-request.ts'
import { GROUP_PATH } from './delegate-server.ts'
import { apiService, type IssuerServer } from './issuer-server.ts'
import { isEscape, randomEscapes } from './path-escapes.ts'

/** The paths that the user of the attacks may read. */
const OWN = `${GROUP_PATH}/namespaces/a/`

const ESCAPES = [
  'widgets/../../b/widgets',
  'widgets/x/../../../b/widgets',
  '../b/widgets',
  '../../../../../admin',
  'widgets/%2e%2e/%2e%2e/b/widgets',
  'widgets/.%2e/%2E./b/widgets',
  'widgets/%252e%252e/b',
  'widgets/..%2f..%2fb%2fwidgets',
  'widgets/..%5c..%5cb%5cwidgets',
  'widgets/..\\..\\b\\widgets',
  'widgets\\..\\..\\b/widgets',
  'widgets\\x#y',
  'widgets/./x',
  'widgets/%2e/x',
  'widgets/x%2fy',
  'widgets/x%2Fy',
  'widgets/..',
  'widgets/../..',
  'widgets/%2E%2E?limit=1',
]

const URLS = [
  'file:///etc/passwd',
  'gopher://127.0.0.1/',
  'ftp://127.0.0.1/',
  'http://user:password@127.0.0.1/',
  'http://user@127.0.0.1/',
  '//127.0.0.1/',
  'javascript:alert(1)',
  'unix:/run/postgresql.sock',
  '/etc/passwd',
  '127.0.0.1',
  '',
]

/** Leaves the namespace of a caller through the path of a delegated request. */
export async function escapeDelegation(
  server: IssuerServer,
  log: AttackLog,
  random: { readonly seed: number; readonly count: number },
): Promise<void> {
  const { attack } = log
  const { admin, user, delegate } = server
  const scoped = user('scoped@x')
  delegate.takeReceived()
  await attack('deny service to the namespace of the caller', async () => {
    const target = `${OWN}widgets?limit=2`
    assertStatus(await scoped.send({ target }), 200)
    assert.deepEqual(delegate.takeReceived(), [target])
  })
  for (const escape of [...ESCAPES, ...randomEscapes(random)]) {
    await attack(`${OWN}${escape}`, async () => {
      const target = OWN + escape
      const response = await scoped.send({ target })
      for (const received of delegate.takeReceived()) {
        assert.equal(pathOf(received), pathOf(target), `the server received ${received}`)
      }
      if (isEscape(escape)) assertStatus(response, 400)
      else assertStatus(response, 200, 400, 403, 404)
    })
  }
  for (const escape of ESCAPES.filter(isEscape)) {
    for (const folder of [
      '/api/v1/namespaces/a/configmaps/',
      `/clusters/${server.clusterId}/control-plane/api/v1/namespaces/a/configmaps/`,
    ]) {
      await attack(`${folder}${escape}`, async () =>
        assertStatus(await scoped.send({ target: folder + escape }), 400),
      )
    }
  }
  for (const [index, url] of URLS.entries()) {
    await attack(`delegate a group to ${url}`, async () => {
      const target = '/apis/apiregistration.k8s.io/v1/apiservices'
      const body = apiService(`url${index}.example.com`, url)
      assertStatus(await admin.send({ method: 'POST', target, body }), 422)
    })
  }
  await attack('run a script of the delegate in the origin of the server', async () => {
    const { headers } = await scoped.send({ target: `${OWN}widgets` })
    assert.equal(headers['content-security-policy'], 'sandbox')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.notEqual(headers['x-frame-options'], 'ALLOWALL')
    for (const name of [
      'content-security-policy-report-only',
      'set-cookie',
      'strict-transport-security',
    ]) {
      assert.equal(headers[name], undefined)
    }
  })
}

/** A fragment is never part of a request, so the path ends before it. */
function pathOf(target: string): string {
  const [path = ''] = target.split(/[?#]/)
  return path
}
