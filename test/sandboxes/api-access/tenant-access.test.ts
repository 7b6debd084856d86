import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeTenant } from '../../../src/access/tenant.ts'
import { tenantPlaneOf } from '../../../src/access/tenant-plane.ts'
import { TENANT_ENV } from '../../auth/tenants.ts'
import { ROOT } from '../../planes/identities.ts'
import { networkTestProblem } from '../network/simulated-machine.ts'
import { type ApiFixture, type BoxInPlane, pathOf, startApiFixture } from './api-fixture.ts'
import { CURL, FILES, request } from './sandbox-request.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const CLUSTERS = '/apis/hyperfleet.io/v1/clusters'
const BASE = '/api/hyperfleet/v1/clusters'
const problem =
  networkTestProblem(['bwrap']) ?? (existsSync(CURL) ? null : 'needs curl in sandboxes')

/** Requests of the administrator of the server for a tenant, as its gateway passes them on. */
const of = (tenant: string): string => `${ROOT}\nX-Tenant-Org: ${tenant}\nX-Tenant-Project: web`
const SYSTEM = `${ROOT}\nX-HyperFleet-System: true`
const rootOf = (org: string): string => tenantPlaneOf(encodeTenant({ org, project: 'web' }))

interface Tenant {
  readonly name: string
  /** The plane of its cluster. */
  readonly cluster: string
  /** A sandbox in its root plane. */
  readonly atRoot: BoxInPlane
  /** A sandbox in the plane of its cluster. */
  readonly atCluster: BoxInPlane
}

describe.skipIf(problem !== null)(
  `access to the API with tenants${problem === null ? '' : `: ${problem}`}`,
  () => {
    let fixture: ApiFixture
    let acme: Tenant
    let umbrella: Tenant

    beforeAll(async () => {
      fixture = await startApiFixture({ env: TENANT_ENV })
      acme = await createTenant('acme')
      umbrella = await createTenant('umbrella')
    })
    afterAll(() => fixture?.[Symbol.asyncDispose]())

    const send = (as: string, method: string, target: string, body?: object) =>
      fixture.planes.call(as, method, target, body)

    /** Administers the root plane of a tenant by the roles of the server. */
    async function createTenant(name: string): Promise<Tenant> {
      const root = rootOf(name)
      const rules = [
        {
          apiGroups: ['hyperfleet.io'],
          resources: ['tenants'],
          resourceNames: [root],
          verbs: ['admin'],
        },
      ]
      await created(SYSTEM, `${RBAC}/clusterroles`, { metadata: { name }, rules })
      const subject = { apiGroup: 'rbac.authorization.k8s.io', kind: 'User' }
      await bind(SYSTEM, '', { role: name, subject: { ...subject, name: 'root@example.com' } })
      const cluster = await created(of(name), BASE, { kind: 'Cluster', name: 'paris', spec: {} })
      for (const plane of [root, cluster['id']]) {
        const subject = { kind: 'ServiceAccount', name: 'default', namespace: 'default' }
        await bind(of(name), pathOf(plane), { role: 'cluster-admin', subject })
        await created(of(name), `${pathOf(plane)}${MAPS}`, { metadata: { name: `of-${name}` } })
      }
      return {
        name,
        cluster: cluster['id'],
        atRoot: await fixture.run(root, 'box', {}, of(name)),
        atCluster: await fixture.run(cluster['id'], 'box', {}, of(name)),
      }
    }

    async function created(as: string, target: string, body: object) {
      const answer = await send(as, 'POST', target, body)
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      return answer.body
    }

    function bind(as: string, at: string, { role, subject }: { role: string; subject: object }) {
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role }
      const body = { metadata: { name: `${role}-sandbox` }, roleRef, subjects: [subject] }
      return created(as, `${at}${RBAC}/clusterrolebindings`, body)
    }

    const tokenOf = (box: BoxInPlane) => box.exec(`cat ${FILES}/token`)

    it('serves the plane of the sandbox, also if it is the root plane of a tenant', async () => {
      for (const { name, atRoot, atCluster } of [acme, umbrella]) {
        for (const box of [atRoot, atCluster]) {
          expect(await box.exec(`${request(MAPS)}; cat /tmp/answer`)).toMatch(/^200\{/)
          const names = await box.exec('grep -o \'"of-[a-z]*"\' /tmp/answer')
          expect(names).toBe(`"of-${name}"\n`)
        }
      }
    })

    it('lists the clusters of its tenant only, by the root plane of the tenant', async () => {
      const { atRoot, cluster } = acme
      expect(await atRoot.exec(`${request(CLUSTERS)}; cat /tmp/answer`)).toMatch(/^200\{/)
      expect(await atRoot.exec(`grep -c ${cluster} /tmp/answer`)).toBe('1\n')
      expect(await atRoot.exec(`grep -c ${umbrella.cluster} /tmp/answer`)).toBe('0\n')
    })

    it('rejects the token of another tenant, from inside and from outside', async () => {
      const stolen = await Promise.all([umbrella.atRoot, umbrella.atCluster].map(tokenOf))
      for (const token of stolen) {
        for (const box of [acme.atRoot, acme.atCluster]) {
          expect(await box.exec(request(MAPS, token))).toMatch(/^40[14]$/)
        }
        const { name, cluster } = acme
        for (const plane of [cluster, rootOf(name)]) {
          const target = `${pathOf(plane)}${MAPS}`
          const headers = ['', '\nX-Flotilla-Sandbox: 100.65.0.1', '\nX-HyperFleet-System: true']
          headers.push('\nX-Tenant-Org: acme\nX-Tenant-Project: web')
          for (const header of headers) {
            const { status } = await send(`Bearer ${token}${header}`, 'GET', target)
            expect(status, header).toBeOneOf([401, 404])
          }
        }
      }
    })

    it('takes no tenant from headers against that of the token', async () => {
      const token = await tokenOf(umbrella.atCluster)
      const target = `${pathOf(umbrella.cluster)}${MAPS}`
      const plain = await send(`Bearer ${token}`, 'GET', target)
      expect(plain.status).toBe(200)
      const other = `Bearer ${token}\nX-Tenant-Org: acme\nX-Tenant-Project: web`
      expect((await send(other, 'GET', target)).status).toBe(404)
      // The HyperFleet API accepts no tokens of service accounts.
      expect((await send(other, 'GET', BASE)).status).toBe(401)
    })

    it('never acts as a system in the root plane of the server', async () => {
      const subject = { kind: 'ServiceAccount', name: 'default', namespace: 'default' }
      await bind(SYSTEM, '', { role: 'cluster-admin', subject })
      const box = await fixture.run('root', 'box', {}, SYSTEM)
      expect(await box.exec(request(MAPS))).toBe('200')
      await box.exec(`${request(CLUSTERS)}; true`)
      expect(await box.exec(`grep -c ${acme.cluster} /tmp/answer`)).toBe('0\n')
      const token = await tokenOf(box)
      for (const plane of [acme.cluster, rootOf('acme')]) {
        const target = `${pathOf(plane)}${MAPS}`
        expect((await send(`Bearer ${token}`, 'GET', target)).status).toBeOneOf([401, 404])
      }
    })
  },
)
