import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../../planes/identities.ts'
import { networkTestProblem } from '../network/simulated-machine.ts'
import { imagesCommand } from '../images/command.ts'
import { writeMinimalRoot } from '../images/minimal-root.ts'
import { type ApiFixture, type BoxInPlane, pathOf, startApiFixture } from './api-fixture.ts'
import { CURL, FILES, request } from './sandbox-request.ts'

const ORDINARY_USER = 54_327
const RBAC = '/apis/rbac.authorization.k8s.io/v1/namespaces/default'
const problem =
  networkTestProblem(['bwrap']) ?? (existsSync(CURL) ? null : 'needs curl in sandboxes')

/** The token of the sandbox, as it could leave it. */
const tokenOf = (box: BoxInPlane) => box.exec(`cat ${FILES}/token`)

const API_NAME = 'kubernetes.default.svc'
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

describe.skipIf(problem !== null)(
  `access to the API${problem === null ? '' : `: ${problem}`}`,
  () => {
    let fixture: ApiFixture
    let plane: string
    beforeAll(async () => {
      fixture = await startApiFixture()
      const { planes } = fixture
      const cluster = { kind: 'Cluster', name: 'paris', spec: {} }
      const created = await planes.call(ROOT, 'POST', '/api/hyperfleet/v1/clusters', cluster)
      plane = created.body.id
      const at = pathOf(plane)
      await planes.call(ROOT, 'POST', `${at}/api/v1/namespaces/default/serviceaccounts`, {
        metadata: { name: 'reader' },
      })
      const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }]
      const role = { metadata: { name: 'reader' }, rules }
      await planes.call(ROOT, 'POST', `${at}${RBAC}/roles`, role)
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' }
      const subjects = [{ kind: 'ServiceAccount', name: 'reader', namespace: 'default' }]
      const binding = { metadata: { name: 'reader' }, roleRef, subjects }
      await planes.call(ROOT, 'POST', `${at}${RBAC}/rolebindings`, binding)
    })
    afterAll(() => fixture?.[Symbol.asyncDispose]())

    /** The runtime reports it within seconds, while other tests run. */
    beforeAll(async () => {
      const root = await mkdtemp(path.join(os.tmpdir(), 'api-image-'))
      await writeMinimalRoot(root)
      await chmod(root, 0o755)
      await symlink('../run', path.join(root, 'var/run'))
      await imagesCommand(fixture.sandboxd, 'add', 'linked', root)
      await rm(root, { recursive: true })
    })

    const reader = { podSpec: { serviceAccountName: 'reader' }, networkPolicy: { mode: 'None' } }

    it('uses the API of its plane with the rights of its service account', async () => {
      const box = await fixture.run(plane, 'reader', reader)
      expect(await box.exec(request(CONFIG_MAPS))).toBe('200')
      expect(await box.exec(request('/api/v1/namespaces/default/secrets'))).toBe('403')
      expect(await box.exec(request('/api/v1/namespaces/kube-system/configmaps'))).toBe('403')
      expect(await box.exec(request(CONFIG_MAPS, 'nonsense'))).toBe('401')
      expect(await box.exec(`cat ${FILES}/namespace`)).toBe('default')
      const named = request(CONFIG_MAPS).replace('$KUBERNETES_SERVICE_HOST', API_NAME)
      expect(await box.exec(named)).toBe('200')
    })

    it('reaches no other path of the server', async () => {
      const box = await fixture.run(plane, 'paths', reader)
      for (const path of ['/api/hyperfleet/v1/clusters', '/console/', '/metrics']) {
        expect(await box.exec(request(path)), path).toMatch(/^40[14]$/)
      }
      for (const path of ['/../../../api/v1/nodes', '/%2e%2e/x', '/..%2f..%2fapi', '/a/..']) {
        expect(await box.exec(request(path))).toBe('400')
      }
    })

    it('has neither token nor API unless the template asks for it', async () => {
      const box = await fixture.run(plane, 'plain', {
        podSpec: { automountServiceAccountToken: false },
      })
      expect(await box.exec(`ls ${FILES}; echo "<$KUBERNETES_SERVICE_HOST>"`)).toMatch(
        /No such file[^]*<>/,
      )
      const direct =
        'curl -sk --max-time 20 -o /dev/null -w "%{http_code}" https://100.64.0.1/version'
      expect(await box.exec(direct)).toBe('000')
    })

    it('ends the token with the run, and gives the next run another one', async () => {
      const box = await fixture.run(plane, 'ending', reader)
      const first = await tokenOf(box)
      const { planes } = fixture
      const use = (token: string) =>
        planes.call(`Bearer ${token}`, 'GET', `${pathOf(plane)}${CONFIG_MAPS}`)
      expect((await use(first)).status).toBe(200)
      await planes.apply(ROOT, `${box.path}?fieldManager=test&force=true`, suspended('Suspended'))
      await box.reaches('Suspended')
      expect(await use(first)).toMatchObject({ status: 401 })
      await planes.apply(ROOT, `${box.path}?fieldManager=test&force=true`, suspended('Running'))
      await box.reaches('Ready')
      const second = await tokenOf(box)
      expect((await use(first)).status).toBe(401)
      expect((await use(second)).status).toBe(200)
      await planes.call(ROOT, 'DELETE', box.path)
      expect(await use(second)).toMatchObject({ status: 401 })
    })

    it('replaces the token of a running sandbox', async () => {
      const box = await fixture.run(plane, 'renewed', reader)
      const { runtime } = fixture.sandboxd.connection
      const sandbox = { plane, namespace: 'default', name: 'renewed', uid: box.uid }
      await runtime.renewToken({ sandbox, fence: 1n, token: 'renewed' })
      expect(await tokenOf(box)).toBe('renewed')
      expect(await box.exec(request(CONFIG_MAPS))).toBe('401')
      expect(await box.exec(`echo mine >${FILES}/token`)).toMatch(/Read-only|denied/)
    })

    it('starts no sandbox without its service account, and names it', async () => {
      const box = fixture.run(plane, 'unknown', { podSpec: { serviceAccountName: 'nobody' } })
      await expect(Promise.race([box, missingAccount()])).resolves.toContain(
        'The service account \\"nobody\\" does not exist',
      )
      box.catch(() => undefined)
    })

    async function missingAccount(): Promise<string> {
      const list = `${pathOf(plane)}/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes`
      for (;;) {
        const { body } = await fixture.planes.call(ROOT, 'GET', `${list}/unknown`)
        const text = JSON.stringify(body.status?.conditions ?? [])
        if (text.includes('ServiceAccountNotFound')) return text
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }

    it('has its files in an image whose /var/run is a link', async () => {
      const container = { name: 'main', image: 'linked', imagePullPolicy: 'Never' }
      const containers = [{ ...container, command: ['/bin/sleep', '1000'] }]
      const podSpec = { ...reader.podSpec, containers }
      const box = await fixture.run(plane, 'image', { ...reader, podSpec })
      expect(await box.exec(`cat ${FILES}/namespace /opt/marker`)).toBe('defaultimage\n')
    })

    it('works on the runtime of an ordinary user', async () => {
      await using other = await startApiFixture({ user: ORDINARY_USER })
      const box = await other.run('root', 'box', {})
      expect(await box.exec(request('/api/v1/namespaces/default/secrets'))).toBe('403')
      expect(await box.exec(request('/version'))).toBe('200')
    })
  },
)

function suspended(operatingMode: string): object {
  return {
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'Sandbox',
    metadata: { name: 'ending' },
    spec: { operatingMode },
  }
}
