import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { type Kubectl, kubectlPrograms, openKubectl } from './kubectl.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { ROLE: 'all' } })
})
afterAll(() => server[Symbol.asyncDispose]())

const MANIFEST = `
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  labels: {app: shop}
data:
  color: red
---
apiVersion: v1
kind: Secret
metadata:
  name: password
stringData:
  password: secret
`

const DEFINITION = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.kubectl.example.com}
spec:
  group: kubectl.example.com
  scope: Namespaced
  names: {plural: boats, singular: boat, kind: Boat, shortNames: [bt]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
    additionalPrinterColumns:
    - {name: Color, type: string, jsonPath: .spec.color}
    - {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
    - {name: Replicas, type: integer, jsonPath: .spec.replicas, priority: 1}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [color]
            properties:
              color: {type: string, description: Color of the hull.}
              replicas: {type: integer, default: 1}
          status:
            type: object
            x-kubernetes-preserve-unknown-fields: true
`

const BOAT = `
apiVersion: kubectl.example.com/v1
kind: Boat
metadata: {name: one}
spec: {color: red}
`

for (const program of kubectlPrograms()) {
  describe.sequential(`kubectl at ${program}`, () => {
    const namespace = `kubectl-${randomUUID().slice(0, 8)}`
    let kubectl: Kubectl
    let file: string
    const output = (...args: string[]) => kubectl.output('-n', namespace, ...args)

    beforeAll(async () => {
      const cluster = await server.post('/clusters', {
        kind: 'Cluster',
        name: namespace,
        spec: {},
      })
      const plane = `${server.origin}/clusters/${cluster.body.id}/control-plane`
      kubectl = await openKubectl(program, plane)
      file = await kubectl.manifest('manifest.yaml', MANIFEST)
    })
    afterAll(() => kubectl[Symbol.asyncDispose]())

    test('creates a namespace and lists the resources of the plane', async () => {
      expect(await output('create', 'namespace', namespace)).toContain('created')
      const resources = await output('api-resources', '--namespaced=true')
      expect(resources).toMatch(/configmaps\s+cm\s+v1\s+true\s+ConfigMap/)
      expect(resources).not.toContain('pods')
      expect(await output('version')).toContain('v1.35.0+flotilla')
    })

    test('applies, compares and applies again', async () => {
      expect(await output('apply', '-f', file)).toContain('configmap/settings created')
      expect(await output('apply', '-f', file)).toContain('configmap/settings unchanged')
      const changed = await kubectl.manifest('changed.yaml', MANIFEST.replace('red', 'blue'))
      const diff = await kubectl.run(['-n', namespace, 'diff', '-f', changed])
      expect(diff).toMatchObject({ code: 1, stdout: expect.stringContaining('+  color: blue') })
      expect(await output('apply', '--dry-run=server', '-f', changed)).toContain('server dry run')
      expect(await output('get', 'cm', 'settings', '-o', 'jsonpath={.data.color}')).toBe('red')
      expect(await output('apply', '-f', changed)).toContain('configmap/settings configured')
    })

    test('R14: shows tables, wide tables, YAML and several types together', async () => {
      const table = await output('get', 'configmap')
      expect(table).toMatch(/^NAME\s+DATA\s+AGE\n/)
      expect(table).toMatch(/settings\s+1\s+\d+s/)
      expect(await output('get', 'cm,secret', '-o', 'wide', '--show-labels')).toMatch(
        /configmap\/settings\s+1\s+\d+s\s+app=shop/,
      )
      expect(await output('get', 'cm', 'settings', '-o', 'yaml')).toContain('color: blue')
      expect(await kubectl.output('get', 'ns', namespace, '--no-headers')).toMatch(/Active\s+\d+s/)
      expect(await output('describe', 'cm', 'settings')).toContain('blue')
    })

    test('R12, R13: selects by labels and fields', async () => {
      expect(await output('get', 'cm', '-l', 'app in (shop),!tier', '-o', 'name')).toBe(
        'configmap/settings\n',
      )
      expect(await output('get', 'cm', '-l', 'app!=shop', '-o', 'name')).toBe('')
      expect(await output('get', 'secret', '--field-selector', 'type=Opaque', '-o', 'name')).toBe(
        'secret/password\n',
      )
      const unknown = await kubectl.run(['get', 'cm', '--field-selector', 'spec.x=y'])
      expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('field') })
    })

    test('R20: edits, patches, labels, annotates and replaces', async () => {
      const edited = await kubectl.run(['-n', namespace, 'edit', 'cm', 'settings'], {
        KUBE_EDITOR: 'sed -i s/blue/green/',
      })
      expect(edited.stdout).toContain('edited')
      const strategic = JSON.stringify({ data: { size: 'big' } })
      expect(await output('patch', 'cm', 'settings', '-p', strategic)).toContain('patched')
      const json = JSON.stringify([{ op: 'replace', path: '/data/size', value: 'small' }])
      await output('patch', 'cm', 'settings', '--type=json', '-p', json)
      await output('label', 'cm', 'settings', 'tier=web')
      await output('annotate', 'cm', 'settings', 'note=hello')
      const { metadata, data } = JSON.parse(await output('get', 'cm', 'settings', '-o', 'json'))
      expect(data).toEqual({ color: 'green', size: 'small' })
      expect(metadata.labels).toEqual({ app: 'shop', tier: 'web' })
      expect(metadata.annotations['note']).toBe('hello')
      expect(await output('replace', '-f', file)).toContain('configmap/settings replaced')
    })

    test('R21: server-side apply names the manager and the field of a conflict', async () => {
      const first = ['apply', '--server-side', '--field-manager=first', '-f']
      const applied = await kubectl.manifest('apply.yaml', MANIFEST.replace('settings', 'applied'))
      expect(await output(...first, applied)).toContain('applied')
      const other = await kubectl.manifest(
        'other.yaml',
        MANIFEST.replace('settings', 'applied').replace('red', 'yellow'),
      )
      const second = [
        '-n',
        namespace,
        'apply',
        '--server-side',
        '--field-manager=second',
        '-f',
        other,
      ]
      const conflict = await kubectl.run(second)
      expect(conflict.code).toBe(1)
      expect(conflict.stderr).toContain('"first"')
      expect(conflict.stderr).toContain('.data.color')
      expect((await kubectl.run([...second, '--force-conflicts'])).code).toBe(0)
    })

    test('R16: get -w shows every change', async () => {
      await using watch = kubectl.start('-n', namespace, 'get', 'cm', '-w', '--no-headers')
      await watch.until(/settings/)
      await output('create', 'cm', 'watched', '--from-literal=a=1')
      await output('patch', 'cm', 'watched', '--type=merge', '-p', '{"data":{"b":"2"}}')
      await output('delete', 'cm', 'watched')
      const shown = await watch.until(/(?:watched .*\n){3}/)
      const counts = shown.match(/watched +\d/g)?.map((line) => line.at(-1))
      expect(counts).toEqual(['1', '2', '2'])
    })

    test('explains fields and waits', async () => {
      expect(await output('explain', 'configmap.data')).toContain('map[string]string')
      expect(await output('explain', 'secrets')).toMatch(/stringData\s+<map\[string\]string>/)
      await output('create', 'cm', 'waited')
      // The object may be gone before kubectl waits for it.
      const waiting = output('wait', '--for=delete', 'cm/waited', '--timeout=50s').catch(
        (error: unknown) => expect(String(error)).toMatch(/not found|no matching/),
      )
      await output('delete', 'cm', 'waited', '--wait=false')
      await waiting
    })

    test('R36: defines a resource, shows its columns, explains and scales it', async () => {
      const definition = await kubectl.manifest('definition.yaml', DEFINITION)
      await output('apply', '-f', definition)
      const name = 'crd/boats.kubectl.example.com'
      await output('wait', '--for=condition=Established', name, '--timeout=50s')
      const boat = await kubectl.manifest('boat.yaml', BOAT)
      expect(await output('apply', '-f', boat)).toContain('created')
      expect(await output('apply', '-f', boat)).toContain('unchanged')
      expect(await output('get', 'bt')).toMatch(/^NAME\s+COLOR\s+READY\n\s*one\s+red\s*\n/)
      expect(await output('get', 'bt', '-o', 'wide')).toMatch(/COLOR\s+READY\s+REPLICAS/)
      expect(await output('explain', 'boats.spec.color')).toContain('Color of the hull.')
      await output('scale', 'boat/one', '--replicas=3')
      expect(await output('get', 'boat', 'one', '-o', 'jsonpath={.spec.replicas}')).toBe('3')
      const invalid = await kubectl.manifest('invalid.yaml', BOAT.replace('red', '[1]'))
      const rejected = await kubectl.run(['-n', namespace, 'apply', '-f', invalid])
      expect(rejected.stderr).toContain('spec.color')
      await output('delete', name)
      expect((await kubectl.run(['-n', namespace, 'get', 'boats'])).code).toBe(1)
    })

    test('R32: creates roles and bindings and asks for its permissions', async () => {
      await output('create', 'role', 'reader', '--verb=get,list', '--resource=configmaps')
      await output('create', 'serviceaccount', 'robot')
      const robot = `--serviceaccount=${namespace}:robot`
      await output('create', 'rolebinding', 'reader', '--role=reader', robot)
      expect(await output('get', 'role,rolebinding', '-o', 'name')).toContain('rolebinding')
      expect(await output('auth', 'can-i', 'create', 'configmaps')).toBe('yes\n')
    })

    test('reports errors of the server', async () => {
      const taken = await kubectl.run(['-n', namespace, 'create', '-f', file])
      expect(taken.stderr).toContain('(AlreadyExists)')
      const absent = await kubectl.run(['-n', namespace, 'get', 'cm', 'absent'])
      expect(absent.stderr).toContain('configmaps "absent" not found')
      const invalid = await kubectl.run(['-n', namespace, 'create', 'cm', 'Not_Valid'])
      expect(invalid.stderr).toContain('RFC 1123')
    })

    test('R29: deletes objects and the namespace with its content', async () => {
      expect(await output('delete', '-f', file)).toContain('"settings" deleted')
      const deleted = await kubectl.output('delete', 'ns', namespace, '--timeout=50s')
      expect(deleted).toContain('deleted')
      expect((await kubectl.run(['get', 'ns', namespace])).stderr).toContain('not found')
    })
  })
}
