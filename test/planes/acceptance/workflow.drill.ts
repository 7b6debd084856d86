import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Program, startNode } from '../../process/program.ts'
import { type Kubectl, kubectlPrograms, openKubectl } from '../clients/kubectl.ts'
import { bearerOf, type PlaneServer, ROOT, startPlaneServer } from '../identities.ts'

const DEFINITION = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    additionalPrinterColumns:
    - {name: Phase, type: string, jsonPath: .status.phase}
    - {name: Size, type: integer, jsonPath: .status.size}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer, minimum: 1}}}
          status: {type: object, properties: {phase: {type: string}, size: {type: integer}}}
`

const ACCESS = `
apiVersion: v1
kind: Namespace
metadata: {name: team}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: widget-reader, namespace: team}
rules:
- {apiGroups: [example.com], resources: [widgets], verbs: [list]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: widget-readers, namespace: team}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: widget-reader}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: User, name: reader@example.com}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: widget-controller, namespace: team}
rules:
- {apiGroups: [example.com], resources: [widgets, widgets/status], verbs: [get, list, watch, update]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: widget-controller, namespace: team}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: widget-controller}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: User, name: controller@example.com}
`

const widget = (size: number) => `
apiVersion: example.com/v1
kind: Widget
metadata: {name: first, namespace: team}
spec: {size: ${size}}
`

let planes: PlaneServer
let dataDir: string
let origin: string

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'workflow-'))
  planes = await startPlaneServer({ TLS: 'self-signed=true', DATA_DIR: dataDir, ROLE: 'all' })
  origin = planes.server.origin.replace('http:', 'https:')
})
afterAll(async () => {
  await planes[Symbol.asyncDispose]()
  await rm(dataDir, { recursive: true })
})

const tokenOf = (bearer: string): string => bearer.replace('Bearer ', '')
const caFile = (): string => path.join(dataDir, 'tls', 'ca.crt')

async function kubectlAs(program: string, server: string, bearer: string): Promise<Kubectl> {
  const trust = { caFile: caFile(), token: tokenOf(bearer) }
  const kubectl = await openKubectl(program, server, trust)
  onTestFinished(() => kubectl[Symbol.asyncDispose]())
  return kubectl
}

function startWidgetController(server: string): Program {
  const controller = startNode(['--import', 'tsx', 'test/planes/acceptance/widget-controller.ts'], {
    SERVER: server,
    TOKEN: tokenOf(bearerOf('controller@example.com')),
    CA_FILE: caFile(),
  })
  onTestFinished(() => controller[Symbol.asyncDispose]())
  return controller
}

describe.each(kubectlPrograms().map((program, index) => ({ program, index })))(
  'with kubectl at $program',
  ({ program, index }) => {
    test('a team defines a resource, reconciles an instance, shares it, and leaves', async () => {
      const root = await kubectlAs(program, origin, ROOT)
      const cluster = `
apiVersion: hyperfleet.io/v1
kind: Cluster
metadata: {name: workflow-${index}}
spec: {}
`
      await root.output('create', '-f', await root.manifest('cluster.yaml', cluster))
      const id = await root.output(
        ...(['get', 'clusters.hyperfleet.io', `workflow-${index}`] as const),
        ...(['-o', 'jsonpath={.metadata.uid}'] as const),
      )
      const plane = `${origin}/clusters/${id}/control-plane`
      const admin = await kubectlAs(program, plane, ROOT)
      await admin.output('apply', '-f', await admin.manifest('definition.yaml', DEFINITION))
      await admin.output('wait', '--for=condition=Established', 'crd/widgets.example.com')
      await admin.output('apply', '-f', await admin.manifest('access.yaml', ACCESS))

      const controller = startWidgetController(plane)
      await using watching = admin.start('get', 'widgets', '-n', 'team', '-w')
      const first = await admin.manifest('widget.yaml', widget(3))
      const applied = ['apply', '--server-side', '--field-manager=team', '-f', first]
      await admin.output(...applied)
      // Created, then with a status.
      await watching.until(/first\s+Ready\s+3/)

      const reader = await kubectlAs(program, plane, bearerOf('reader@example.com'))
      expect(await reader.output('get', 'widgets', '-n', 'team')).toMatch(/first\s+Ready\s+3/)
      for (const args of [
        ['get', 'secrets', '-n', 'team'],
        ['get', 'widgets', 'first', '-n', 'team'],
        ['delete', 'widgets', 'first', '-n', 'team'],
      ]) {
        const denied = await reader.run(args)
        expect(denied.code).toBe(1)
        expect(denied.stderr).toContain('Forbidden')
      }

      const other = await admin.manifest('other.yaml', widget(5))
      const apply = ['apply', '--server-side', '--field-manager=other', '-f', other]
      const conflict = await admin.run(apply)
      expect(conflict.code).toBe(1)
      expect(conflict.stderr).toContain('conflict with "team"')
      expect(conflict.stderr).toContain('.spec.size')
      await admin.output(...apply, '--force-conflicts')
      await watching.until(/first\s+Ready\s+5/)

      await admin.output('delete', 'namespace', 'team', '--timeout=60s')
      const gone = await admin.run(['get', 'namespace', 'team'])
      expect(gone.stderr).toContain('not found')
      expect(controller.output()).toContain('cleans first')
    })
  },
)
