import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { POD_TEMPLATE, sandboxApi } from './sandbox-api.ts'

let server: TestServer
let api: ReturnType<typeof sandboxApi>

beforeAll(async () => {
  server = await startTestServer()
  api = sandboxApi(server.origin)
})
afterAll(() => server[Symbol.asyncDispose]())

const AGENTS = 'agents.x-k8s.io/v1beta1'
const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'

let names = 0
function nextName(): string {
  names += 1
  return `object-${names}`
}

/** Creates an object of a kind with a new name. */
function create(kind: string, content: object) {
  return api.create({ apiVersion: AGENTS, kind, metadata: { name: nextName() }, ...content })
}

function createSandbox(spec: object) {
  return api.createSandbox(nextName(), spec)
}

function withPod(pod: object) {
  return createSandbox({ podTemplate: { spec: { ...POD_TEMPLATE.spec, ...pod } } })
}

function withContainer(container: object) {
  const first = { ...POD_TEMPLATE.spec.containers[0], ...container }
  return withPod({ containers: [first] })
}

function hibernate(reference: object) {
  return createSandbox({ suspensionStrategy: { type: 'Hibernate', hibernate: reference } })
}

describe('a field with a wrong name is rejected with a hint', () => {
  test.each([
    [{ suspend: true }, 'spec.suspend', 'set spec.operatingMode to Suspended'],
    [
      { suspensionStrategy: { type: 'Stop', suspend: true } },
      'spec.suspensionStrategy.suspend',
      'set spec.operatingMode to Suspended',
    ],
    [{ strategy: { type: 'Stop' } }, 'spec.strategy', 'use spec.suspensionStrategy'],
    [
      { suspensionStrategy: { type: 'Hibernate', snapshotClassName: 'fast' } },
      'spec.suspensionStrategy.snapshotClassName',
      'use spec.suspensionStrategy.hibernate.snapshotClaimName: the SnapshotClaim names the class',
    ],
    [
      { suspensionStrategy: { type: 'Hibernate', hibernate: { snapshotClassName: 'fast' } } },
      'spec.suspensionStrategy.hibernate.snapshotClassName',
      'use spec.suspensionStrategy.hibernate.snapshotClaimName: the SnapshotClaim names the class',
    ],
  ])('%j of a sandbox', async (spec, field, remedy) => {
    const { status, body } = await createSandbox(spec)
    expect(status).toBe(422)
    expect(body.details.causes).toEqual([
      {
        field,
        reason: 'FieldValueForbidden',
        message: `Forbidden: unknown field; ${remedy}`,
      },
    ])
  })

  test('s3Config of a provider', async () => {
    const spec = { providerType: 'process', s3Config: { bucket: 'b' } }
    const { status, body } = await create('SnapshotProvider', { spec })
    expect(status).toBe(422)
    expect(body.message).toContain('spec.s3Config: Forbidden: unknown field; use spec.s3')
  })

  test('spec of a class', async () => {
    const { status, body } = await create('SnapshotClass', {
      provisioner: 'process',
      spec: { parameters: {} },
    })
    expect(status).toBe(422)
    expect(body.message).toContain('spec: Forbidden: unknown field; provisioner, parameters')
  })

  test('in merge patches and applies, too', async () => {
    const { body } = await createSandbox({})
    const { name } = body.metadata
    const patched = await api.patchSandbox(name, { spec: { suspend: true } })
    expect(patched.status).toBe(422)
    const applied = await api.call(
      'PATCH',
      `${SANDBOXES}/${name}?fieldManager=test`,
      { apiVersion: AGENTS, kind: 'Sandbox', metadata: { name }, spec: { suspend: true } },
      'application/apply-patch+yaml',
    )
    expect(applied.status).toBe(422)
    expect(applied.body.message).toContain('set spec.operatingMode to Suspended')
  })
})

describe('the workload of a sandbox', () => {
  test('has exactly one container', async () => {
    const containers = ['a', 'b'].map((name) => ({ name, command: ['/bin/true'] }))
    const { status, body } = await withPod({ containers })
    expect(status).toBe(422)
    expect(body.message).toContain(
      'spec.podTemplate.spec.containers: Invalid value: 2: a sandbox must have exactly one container',
    )
    expect((await withPod({ containers: [] })).status).toBe(422)
  })

  test('keeps fields of pods that the schema does not declare', async () => {
    const pod = {
      securityContext: { runAsNonRoot: true },
      tolerations: [{ key: 'spot', operator: 'Exists' }],
      serviceAccountName: 'agent',
      volumes: [{ name: 'scratch', emptyDir: { sizeLimit: '1Gi', medium: 'Memory' } }],
    }
    const created = await withPod(pod)
    expect(created.warnings).toEqual([])
    expect(created.body.spec.podTemplate.spec).toMatchObject(pod)
    const container = { securityContext: { privileged: false }, tty: true, lifecycle: {} }
    const { body } = await withContainer(container)
    expect(body.spec.podTemplate.spec.containers[0]).toMatchObject(container)
  })

  test('mounts only volumes that exist', async () => {
    const { status, body } = await withContainer({
      volumeMounts: [{ name: 'data', mountPath: '/data' }],
    })
    expect(status).toBe(422)
    expect(body.details.causes[0]).toMatchObject({
      field: 'spec.podTemplate.spec.containers[0].volumeMounts[0].name',
      reason: 'FieldValueNotFound',
    })
  })

  test.each([
    [{ workingDir: '../evil' }, 'workingDir'],
    [{ env: [{ name: 'A=B', value: '' }] }, 'env[0].name'],
    [{ resources: { limits: { memory: 'much' } } }, 'resources.limits[memory]'],
  ])('is rejected with %j', async (container, field) => {
    const { status, body } = await withContainer(container)
    expect(status).toBe(422)
    expect(body.details.causes[0].field).toBe(`spec.podTemplate.spec.containers[0].${field}`)
  })

  test('rejects mount paths that leave the sandbox', async () => {
    const { status, body } = await createSandbox({
      podTemplate: {
        spec: {
          containers: [
            {
              name: 'main',
              command: ['/bin/true'],
              volumeMounts: [{ name: 'data', mountPath: '/data/../../evil' }],
            },
          ],
        },
      },
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: {} }],
    })
    expect(status).toBe(422)
    expect(body.message).toContain('mountPath: Invalid value: "/data/../../evil"')
  })

  test.each([
    [{ hostPath: { path: '/etc' } }, 'hostPath', 'lead out of the sandbox: use emptyDir'],
    [{ nfs: { server: 'nas', path: '/' } }, 'nfs', 'sandboxes have no such volumes: use emptyDir'],
    [{ downwardAPI: {} }, 'downwardAPI', 'use env with fieldRef'],
    [{ emptyDir: {}, secret: { secretName: 'one' } }, '', 'one type, not emptyDir,secret'],
    [{ secret: {} }, 'secret.secretName', 'Required value'],
    [{ configMap: { name: '' } }, 'configMap.name', 'Required value'],
    [
      { configMap: { name: 'one', items: [{ key: 'a', path: '../a' }] } },
      'configMap.items[0].path',
      'must be a relative path',
    ],
    [
      { projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } },
      'projected.sources[0].serviceAccountToken',
      'the sources of sandboxes are configMap and secret',
    ],
  ])('rejects the volume %j', async (source, field, message) => {
    const { status, body } = await withPod({ volumes: [{ name: 'bad', ...source }] })
    expect(status).toBe(422)
    const path = ['spec.podTemplate.spec.volumes[0]', field].filter((part) => part !== '')
    expect(body.details.causes).toMatchObject([{ field: path.join('.') }])
    expect(body.message).toContain(message)
  })

  const HTTP = { port: 80 }
  test.each([
    [{ readinessProbe: {} }, 'readinessProbe', 'exactly one of httpGet, tcpSocket and exec'],
    [
      { livenessProbe: { httpGet: HTTP, exec: { command: ['a'] } } },
      'livenessProbe',
      'exactly one',
    ],
    [{ livenessProbe: { grpc: { port: 1 } } }, 'livenessProbe.grpc', 'use exec'],
    [{ startupProbe: { exec: { command: [] } } }, 'startupProbe.exec.command', 'Required value'],
    [{ readinessProbe: { tcpSocket: {} } }, 'readinessProbe.tcpSocket.port', 'Required value'],
    [{ readinessProbe: { tcpSocket: { port: 'web' } } }, 'readinessProbe.tcpSocket.port', 'ports'],
    [{ readinessProbe: { httpGet: { port: 70_000 } } }, 'readinessProbe.httpGet.port', '65535'],
    [
      { readinessProbe: { httpGet: { ...HTTP, host: '169.254.169.254' } } },
      'readinessProbe.httpGet.host',
      'probes connect to the sandbox itself',
    ],
    [
      { readinessProbe: { httpGet: { ...HTTP, path: '/a b' } } },
      'readinessProbe.httpGet.path',
      'without spaces',
    ],
    [
      {
        readinessProbe: { httpGet: { ...HTTP, httpHeaders: [{ name: 'A', value: 'b\r\nC: d' }] } },
      },
      'readinessProbe.httpGet.httpHeaders[0]',
      'must be a header',
    ],
    [
      { livenessProbe: { tcpSocket: HTTP, successThreshold: 2 } },
      'livenessProbe.successThreshold',
      'must be 1',
    ],
    [
      { readinessProbe: { tcpSocket: HTTP, terminationGracePeriodSeconds: 2 } },
      'readinessProbe.terminationGracePeriodSeconds',
      'ends no program',
    ],
    [
      { readinessProbe: { tcpSocket: HTTP, periodSeconds: -1 } },
      'readinessProbe.periodSeconds',
      'greater than or equal to 0',
    ],
  ])('rejects the probe %j', async (container, field, message) => {
    const { status, body } = await withContainer(container)
    expect(status).toBe(422)
    expect(body.details.causes).toMatchObject([
      { field: `spec.podTemplate.spec.containers[0].${field}` },
    ])
    expect(body.message).toContain(message)
  })

  test('accepts probes, also with the name of a port', async () => {
    const probes = {
      ports: [{ name: 'web', containerPort: 8080 }],
      startupProbe: { httpGet: { port: 'web', scheme: 'HTTPS' }, failureThreshold: 30 },
      readinessProbe: { tcpSocket: { port: 'web' }, successThreshold: 2, periodSeconds: 0 },
      livenessProbe: { exec: { command: ['/bin/true'] }, terminationGracePeriodSeconds: 1 },
    }
    const { status, warnings } = await withContainer(probes)
    expect(status).toBe(201)
    expect(warnings).toEqual([])
  })

  const SETUP = { name: 'setup', command: ['/bin/true'] }
  const DATA = { name: 'data', mountPath: '/data' }
  test.each([
    [{ name: 'setup' }, 'command', 'Required value'],
    [{ ...SETUP, name: 'main' }, 'name', 'Duplicate value'],
    [{ ...SETUP, name: 'A_B' }, 'name', 'lowercase RFC 1123 label'],
    [{ ...SETUP, restartPolicy: 'Always' }, 'restartPolicy', 'a sandbox has one program'],
    [
      { ...SETUP, livenessProbe: { tcpSocket: { port: 1 } } },
      'livenessProbe',
      'end before they could be checked',
    ],
    [{ ...SETUP, env: [{ name: 'A=B', value: '' }] }, 'env[0].name', 'other than "="'],
    [
      { ...SETUP, volumeMounts: [{ name: 'none', mountPath: '/none' }] },
      'volumeMounts[0].name',
      'Not found',
    ],
    [
      { ...SETUP, volumeMounts: [{ ...DATA, name: 'other' }] },
      'volumeMounts[0].mountPath',
      'another container mounts something else there',
    ],
    [
      { ...SETUP, volumeMounts: [{ ...DATA, readOnly: true }] },
      'volumeMounts[0].mountPath',
      'use another path',
    ],
  ])('rejects the init container %j', async (container, field, message) => {
    const { status, body } = await withPod({
      containers: [{ name: 'main', command: ['/bin/true'], volumeMounts: [DATA] }],
      initContainers: [container],
      volumes: ['data', 'other'].map((name) => ({ name, emptyDir: {} })),
    })
    expect(status).toBe(422)
    expect(body.details.causes).toMatchObject([
      { field: `spec.podTemplate.spec.initContainers[0].${field}` },
    ])
    expect(body.message).toContain(message)
  })

  test('accepts init containers, and names their parts that have no effect', async () => {
    const mounted = { ...SETUP, volumeMounts: [DATA] }
    const { status, warnings } = await withPod({
      initContainers: [mounted, { ...mounted, name: 'image', image: 'busybox', resources: {} }],
      volumes: [{ name: 'data', emptyDir: {} }],
    })
    expect(status).toBe(201)
    const field = 'spec.podTemplate.spec.initContainers[1]'
    expect(warnings).toEqual([
      `${field}.image: kept, but the command runs in the image of the main container`,
      `${field}.resources: kept, but the limits of the sandbox apply`,
    ])
  })

  test('has claims with distinct names', async () => {
    const claims = (...list: readonly string[]) => ({
      volumeClaimTemplates: list.map((name) => ({ metadata: { name }, spec: {} })),
    })
    expect((await createSandbox(claims('a', 'a'))).body.message).toContain('Duplicate value: "a"')
    expect((await createSandbox(claims(''))).body.message).toContain('Required value')
    expect((await createSandbox(claims('A/B'))).status).toBe(422)
  })
})

describe('access to the API', () => {
  const FIELD = 'spec.podTemplate.spec.automountServiceAccountToken'

  test('is rejected by a server that needs no token, with the remedy', async () => {
    const pod = { ...POD_TEMPLATE.spec, automountServiceAccountToken: true }
    const spec = { podTemplate: { spec: pod } }
    const template = await api.create({
      apiVersion: 'extensions.agents.x-k8s.io/v1beta1',
      kind: 'SandboxTemplate',
      metadata: { name: nextName() },
      spec,
    })
    for (const { status, body } of [await createSandbox(spec), template]) {
      expect(status).toBe(422)
      expect(body.message).toContain(`${FIELD}: Forbidden: this server needs no token`)
      expect(body.message).toContain('JWT_JWKS_URL')
    }
  })

  test('is not needed by manifests that decline it or only name an account', async () => {
    const declined = { automountServiceAccountToken: false, serviceAccountName: 'builder' }
    expect((await withPod(declined)).status).toBe(201)
    expect((await withPod({ serviceAccountName: 'builder' })).status).toBe(201)
    const { status, body } = await withPod({ serviceAccountName: '../x' })
    expect(status).toBe(422)
    expect(body.message).toContain('spec.podTemplate.spec.serviceAccountName')
  })
})

describe('warnings', () => {
  test('name the users of pods that the runtime does not use', async () => {
    const pod = {
      securityContext: { runAsUser: 1000, runAsNonRoot: true },
      containers: [{ name: 'main', command: ['/bin/true'], securityContext: { runAsGroup: 7 } }],
    }
    expect((await withPod(pod)).warnings).toEqual([])
    const { status, warnings } = await withPod({ ...pod, runtimeClassName: 'gvisor' })
    expect(status).toBe(201)
    expect(warnings).toEqual([
      'spec.podTemplate.spec.securityContext.runAsUser: kept, but programs have the user of the sandbox, or that of their image (class bubblewrap)',
      'spec.podTemplate.spec.containers[0].securityContext.runAsGroup: kept, but programs have the group of the sandbox, or that of their image (class bubblewrap)',
    ])
  })

  const CONTAINER = 'spec.podTemplate.spec.containers[0]'

  test('name an image that need not be registered, and a missing command', async () => {
    const { status, warnings } = await withContainer({ image: 'python:3' })
    expect(status).toBe(201)
    expect(warnings).toEqual([
      `${CONTAINER}.image: used if it is registered (flotilla sandbox images add), otherwise the command runs with the programs of the machine; imagePullPolicy: Never prevents that`,
    ])
    const required = await withContainer({ image: 'python:3', imagePullPolicy: 'Never' })
    expect(required.warnings).toEqual([])
    const image = await withPod({ containers: [{ name: 'main', image: 'python:3' }] })
    expect(image.warnings).toEqual([])
    const bare = await withPod({ containers: [{ name: 'main' }] })
    expect(bare.warnings).toEqual([
      `${CONTAINER}.command: the sandbox cannot start without a command: there is no program`,
    ])
  })

  test('name parts of volumes and variables that the runtime does not provide', async () => {
    const { warnings } = await withPod({
      containers: [
        {
          name: 'main',
          command: ['/bin/true'],
          volumeMounts: [{ name: 'config', mountPath: '/etc/app', subPath: 'app' }],
        },
      ],
      volumes: [{ name: 'config', configMap: { name: 'one' } }],
    })
    expect(warnings).toEqual([
      `${CONTAINER}.volumeMounts[0].subPath: kept, but the whole volume is mounted`,
    ])
    const env = [{ name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } }]
    expect((await withContainer({ env })).warnings).toEqual([
      `${CONTAINER}.env[0].valueFrom.resourceFieldRef: kept, but the variable CPU is not set`,
    ])
  })

  test('are not repeated for changes of other fields', async () => {
    const { body } = await withContainer({ image: 'python:3' })
    const { name } = body.metadata
    const suspended = await api.patchSandbox(name, { spec: { operatingMode: 'Suspended' } })
    expect(suspended.warnings).toEqual([])
    const { warnings } = await api.patchSandbox(name, {
      spec: {
        podTemplate: {
          spec: { containers: [{ name: 'main', command: ['/bin/true'], image: 'python:4' }] },
        },
      },
    })
    expect(warnings).toHaveLength(1)
  })
})

describe('a strategy', () => {
  const RULE =
    'at most one of snapshotProviderRef, snapshotClaimName, snapshotClaimTemplateName may be set'

  test.each([
    [{ snapshotProviderRef: { name: 'disk' } }],
    [{ snapshotClaimName: 'shared' }],
    [{ snapshotClaimTemplateName: 'own' }],
    [{}],
  ])('hibernates with %j', async (reference) => {
    expect((await hibernate(reference)).status).toBe(201)
  })

  test.each([
    [
      { snapshotProviderRef: { name: 'disk' }, snapshotClaimName: 'shared' },
      'snapshotProviderRef and snapshotClaimName',
    ],
    [
      { snapshotClaimName: 'shared', snapshotClaimTemplateName: 'own' },
      'snapshotClaimName and snapshotClaimTemplateName',
    ],
  ])('does not hibernate with %j', async (reference, found) => {
    const { status, body } = await hibernate(reference)
    expect(status).toBe(422)
    expect(body.details.causes).toEqual([
      {
        field: 'spec.suspensionStrategy.hibernate',
        reason: 'FieldValueInvalid',
        message: `Invalid value: "${found}": ${RULE}`,
      },
    ])
  })

  test('needs a reference to hibernate', async () => {
    const { status, body } = await createSandbox({ suspensionStrategy: { type: 'Hibernate' } })
    expect(status).toBe(422)
    expect(body.details.causes[0]).toMatchObject({ reason: 'FieldValueRequired' })
  })

  test('rejects unknown types and names that no object can have', async () => {
    expect((await createSandbox({ suspensionStrategy: { type: 'Pause' } })).status).toBe(422)
    expect((await hibernate({ snapshotClaimName: 'A/B' })).status).toBe(422)
  })
})

describe('a store', () => {
  const provider = (spec: object) =>
    create('SnapshotProvider', { spec: { providerType: 'process', ...spec } })

  test.each([
    [{ local: { path: 'team-a' } }],
    [{ local: { path: '/var/lib/snapshots' } }],
    [{ s3: { bucket: 'b', endpoint: 'https://s3.test', prefix: 'team/a' } }],
    [{ gcs: { bucket: 'b' } }],
  ])('is %j', async (store) => {
    expect((await provider(store)).status).toBe(201)
  })

  test('is exactly one of s3, gcs and local', async () => {
    const both = await provider({ s3: { bucket: 'b' }, local: { path: 'p' } })
    expect(both.status).toBe(422)
    expect(both.body.message).toContain(
      'spec: Invalid value: "s3 and local": exactly one of s3, gcs, local must be set',
    )
    expect((await provider({})).body.message).toContain('exactly one of s3, gcs, local')
  })

  test.each(['../evil', '/var/../../evil', 'team/..'])('is not at the path %s', async (path) => {
    const { status, body } = await provider({ local: { path } })
    expect(status).toBe(422)
    expect(body.details.causes[0]).toMatchObject({
      field: 'spec.local.path',
      message: `Invalid value: ${JSON.stringify(path)}: must not contain ".."`,
    })
  })

  test('of classes and claims does not leave its directory either', async () => {
    const parameters = { path: '../evil' }
    const objects = [
      await create('SnapshotClass', { provisioner: 'process', parameters }),
      await create('SnapshotClaim', { spec: { parameters } }),
      await create('SnapshotClaimTemplate', { spec: { spec: { parameters } } }),
    ]
    for (const { status, body } of objects) {
      expect(status).toBe(422)
      expect(body.message).toContain('parameters[path]: Invalid value: "../evil"')
    }
  })

  test.each([
    [{ s3: { bucket: '' } }, 'spec.s3.bucket'],
    [{ s3: { bucket: 'b', endpoint: 'not a url' } }, 'spec.s3.endpoint'],
    [{ s3: { bucket: 'b', prefix: '../other' } }, 'spec.s3.prefix'],
    [{ local: { path: '' } }, 'spec.local.path'],
  ])('is rejected as %j', async (store, field) => {
    const { status, body } = await provider(store)
    expect(status).toBe(422)
    expect(body.details.causes[0].field).toBe(field)
  })
})

describe('immutable fields', () => {
  test('is the spec of a template of claims', async () => {
    const { body } = await create('SnapshotClaimTemplate', { spec: { spec: {} } })
    const path = `/apis/${AGENTS}/namespaces/default/snapshotclaimtemplates/${body.metadata.name}`
    const merge = (patch: object) => api.call('PATCH', path, patch, 'application/merge-patch+json')
    const changed = await merge({ spec: { spec: { snapshotClassName: 'other' } } })
    expect(changed.status).toBe(422)
    expect(changed.body.message).toContain('field is immutable')
    expect((await merge({ metadata: { labels: { a: 'b' } } })).status).toBe(200)
  })

  test('is the sandbox of a snapshot', async () => {
    const { body } = await create('Snapshot', { spec: { sandboxRef: { name: 'one' } } })
    const path = `/apis/${AGENTS}/namespaces/default/snapshots/${body.metadata.name}`
    const patch = { spec: { sandboxRef: { name: 'other' } } }
    const { status } = await api.call('PATCH', path, patch, 'application/merge-patch+json')
    expect(status).toBe(422)
    const reported = await api.patchStatus(path, { phase: 'Ready', sizeBytes: 1 })
    expect(reported.status).toBe(200)
  })

  test('is the origin of a sandbox', async () => {
    const { body } = await createSandbox({ restoreFrom: { snapshotName: 'one' } })
    const patch = { spec: { restoreFrom: { snapshotName: 'other' } } }
    const { status, body: rejected } = await api.patchSandbox(body.metadata.name, patch)
    expect(status).toBe(422)
    expect(rejected.message).toContain('spec.restoreFrom: Forbidden: field is immutable')
  })
})

test('a runtime has an address with TLS or of a socket', async () => {
  const runtime = (endpoint: string) => {
    const object = {
      apiVersion: 'sandbox.flotilla.dev/v1alpha1',
      kind: 'SandboxRuntime',
      metadata: { name: nextName() },
      spec: { endpoint },
    }
    return api.create(object)
  }
  expect((await runtime('https://host:7443')).status).toBe(201)
  expect((await runtime('unix:///run/s.sock')).status).toBe(201)
  for (const endpoint of ['http://host:80', 'unix:relative', 'host:80', '']) {
    expect((await runtime(endpoint)).status).toBe(422)
  }
})
