import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { bearerOf, type PlaneServer, ROOT, startPlaneServer } from '../identities.ts'
import { type Kubectl, kubectlPrograms, openKubectl } from './kubectl.ts'

let planes: PlaneServer
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'access-'))
  planes = await startPlaneServer({ TLS: 'self-signed=true', DATA_DIR: dataDir })
})
afterAll(async () => {
  await planes[Symbol.asyncDispose]()
  await rm(dataDir, { recursive: true })
})

async function kubectlAs(program: string, bearer: string): Promise<Kubectl> {
  const kubectl = await openKubectl(program, planes.server.origin.replace('http:', 'https:'), {
    caFile: path.join(dataDir, 'tls', 'ca.crt'),
    token: bearer.replace('Bearer ', ''),
  })
  onTestFinished(() => kubectl[Symbol.asyncDispose]())
  return kubectl
}

for (const [index, program] of kubectlPrograms().entries()) {
  describe.sequential(`kubectl at ${program}`, () => {
    const namespace = `team-${index}`
    const user = `jane-${index}@example.com`

    test('R32: grants a role in a namespace and asks for rights', async () => {
      const admin = await kubectlAs(program, ROOT)
      const jane = await kubectlAs(program, bearerOf(user))
      await admin.output('create', 'namespace', namespace)
      const ask = ['auth', 'can-i', 'list', 'configmaps', '-n', namespace]
      expect(await jane.run(ask)).toMatchObject({ code: 1, stdout: 'no\n' })
      const create = `create rolebinding jane -n ${namespace} --clusterrole=view --user=${user}`
      await admin.output(...create.split(' '))
      expect(await jane.run(ask)).toMatchObject({ code: 0, stdout: 'yes\n' })
      expect(await jane.output('auth', 'can-i', '--list', '-n', namespace)).toMatch(
        /configmaps .*\[get list watch\]/,
      )
      const denied = await jane.run(['create', 'configmap', 'x', '-n', namespace])
      expect(denied.code).toBe(1)
      expect(denied.stderr).toContain(`User "${user}" cannot create resource "configmaps"`)
    })

    test('R34: acts as another user', async () => {
      const admin = await kubectlAs(program, ROOT)
      const as = [`--as=${user}`, '-n', namespace]
      const names = ['get', 'configmaps', '--output=name', ...as]
      expect(await admin.output(...names)).toBe('configmap/kube-root-ca.crt\n')
      const denied = await admin.run(['get', 'secrets', ...as])
      expect(denied.stderr).toContain(`User "${user}" cannot list resource "secrets"`)
      const jane = await kubectlAs(program, bearerOf(user))
      // kubectl shows the reason of a failed discovery as unknown, so it needs a cached one.
      await jane.output('get', 'configmaps', '-n', namespace)
      const escalating = await jane.run(['get', 'secrets', '--as=root@example.com'])
      expect(escalating.stderr).toContain('cannot impersonate resource "users"')
    })

    test('R32: reconciles and describes roles', async () => {
      const admin = await kubectlAs(program, ROOT)
      const file = await admin.manifest(
        'role.yaml',
        `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: fleets-${index}
  labels: {rbac.authorization.k8s.io/aggregate-to-view: "true"}
rules:
  - {apiGroups: [kplane.dev], resources: [fleets-${index}], verbs: [get]}
`,
      )
      expect(await admin.output('auth', 'reconcile', '-f', file)).toContain('reconciled')
      expect(await admin.output('describe', 'clusterrole', 'view')).toContain(
        `fleets-${index}.kplane.dev`,
      )
      expect(await admin.output('get', 'clusterroles')).toContain('cluster-admin')
    })

    test('R35: works with the token of a service account', async () => {
      const admin = await kubectlAs(program, ROOT)
      const api = `/api/v1/namespaces/${namespace}/serviceaccounts/default/token`
      const request = await admin.manifest('request.json', '{"spec": {"expirationSeconds": 600}}')
      const { status } = JSON.parse(await admin.output('create', '--raw', api, '-f', request))
      const create = `create rolebinding default -n ${namespace} --clusterrole=edit`
      await admin.output(...create.split(' '), `--serviceaccount=${namespace}:default`)
      const robot = await kubectlAs(program, status.token)
      await robot.output('create', 'configmap', 'by-robot', '-n', namespace, '--from-literal=a=b')
      const denied = await robot.run(['get', 'namespaces'])
      expect(denied.stderr).toContain(`system:serviceaccount:${namespace}:default`)
    })
  })
}
