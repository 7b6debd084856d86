import { gzipSync } from 'node:zlib'
import type { RawClient, RawRequest } from './raw-client.ts'

/** Requests that make the server compute for long. */
export interface Bomb {
  readonly name: string
  /** Creates what the requests need. */
  readonly prepare?: (client: RawClient) => Promise<void>
  /** The request of a number. */
  readonly request: (number: number) => RawRequest
}

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const CLUSTERS = '/api/hyperfleet/v1/clusters'
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'
const BINDINGS = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings'
const APPLY = { 'Content-Type': 'application/apply-patch+yaml' }
const YAML = { 'Content-Type': 'application/yaml' }

const DEEP = '['.repeat(100_000) + ']'.repeat(100_000)

/** The bombs that CI sends: of each kind the one that computed for longest. */
export const BOMBS: readonly Bomb[] = [
  patterns(),
  policyOf('nested loops in CEL', 'nested', {
    expression:
      'object.data.list.split(",").all(a, object.data.list.split(",").all(b, object.data.list.split(",").all(c, a != "x")))',
    data: { list: Array.from({ length: 150 }, (_, index) => index).join(',') },
  }),
  policyOf('a growing text in CEL', 'growing', {
    expression: `object.data.text${'.replace("a", "aa")'.repeat(10)} != ""`,
    data: { text: 'a'.repeat(10_000) },
  }),
  {
    name: 'policies with long expressions',
    request: always(post(POLICIES, policy('long', `${'true && '.repeat(5000)}true`))),
  },
  {
    name: '100 000 levels of JSON',
    request: (number) => ({
      method: 'POST',
      path: number % 2 === 0 ? CONFIG_MAPS : CLUSTERS,
      body: DEEP,
    }),
  },
  {
    name: 'YAML with many keys',
    request: always({
      method: 'POST',
      path: CONFIG_MAPS,
      headers: YAML,
      body: `apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: yaml-}\ndata:\n${keys(9000, (key) => `  ${key}: x`).join('\n')}\n`,
    }),
  },
  {
    name: 'config maps of 60 000 keys',
    request: always(post(CONFIG_MAPS, generated('large', manyKeys(60_000)))),
  },
  {
    name: 'a JSON Patch that copies a growing member',
    prepare: async (client) => {
      await client.send(post(CONFIG_MAPS, configMap('copied', { key: 'x'.repeat(1000) })))
    },
    request: always({
      method: 'PATCH',
      path: `${CONFIG_MAPS}/copied`,
      headers: { 'Content-Type': 'application/json-patch+json' },
      body: JSON.stringify(
        Array.from({ length: 60 }, (_, index) => ({
          op: 'copy',
          from: '/metadata',
          path: `/metadata/copy${index}`,
        })),
      ),
    }),
  },
  {
    name: 'an object of many managers',
    request: (number) => ({
      method: 'PATCH',
      path: `${CONFIG_MAPS}/managed?fieldManager=manager-${number % 300}&force=true`,
      headers: APPLY,
      body: JSON.stringify(configMap('managed', { [`key-${number % 300}`]: 'x' })),
    }),
  },
  {
    name: 'lists with long selectors',
    prepare: async (client) => {
      for (let from = 0; from < 500; from += 20) {
        await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            client.send(post(CONFIG_MAPS, configMap(`listed-${from + index}`, { a: 'x' }))),
          ),
        )
      }
    },
    request: always({
      method: 'GET',
      path: `${CONFIG_MAPS}?labelSelector=${keys(1500, (key) => `${key}!=x`).join(',')}`,
    }),
  },
  {
    name: 'new planes',
    prepare: async (client) => {
      for (let index = 0; index < 60; index += 1) {
        const body = { kind: 'Cluster', name: `plane-${index}`, spec: {} }
        await client.send(post(CLUSTERS, body))
      }
    },
    request: (number) => ({
      method: 'GET',
      path: `/clusters/plane-${number % 60}/control-plane/${number % 2 === 0 ? 'openapi/v2' : 'apis'}`,
    }),
  },
  {
    name: 'fields with many paths',
    request: always({
      method: 'GET',
      path: `${CLUSTERS}?fields=${keys(1500, (key) => `spec.${key}`).join(',')}`,
    }),
  },
  {
    name: 'a compressed body',
    request: always({
      method: 'POST',
      path: CLUSTERS,
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(20_000_000, 0x20)),
    }),
  },
]

function patterns(): Bomb {
  const group = 'bombs.example.com'
  const objects = `/apis/${group}/v1/namespaces/default/patterns`
  const schema = {
    type: 'object',
    properties: { text: { type: 'string', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } },
  }
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }
  return {
    name: 'patterns of definitions',
    prepare: async (client) => {
      await client.send(
        post(DEFINITIONS, {
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          metadata: { name: `patterns.${group}` },
          spec: {
            group,
            scope: 'Namespaced',
            names: { plural: 'patterns', singular: 'pattern', kind: 'Pattern' },
            versions: [version],
          },
        }),
      )
    },
    request: always(
      post(objects, {
        apiVersion: `${group}/v1`,
        kind: 'Pattern',
        metadata: { generateName: 'pattern-' },
        text: 'a'.repeat(100_000),
      }),
    ),
  }
}

interface PolicyBomb {
  readonly expression: string
  readonly data: Readonly<Record<string, string>>
}

/** A policy that concerns only the config maps with its label, and these. */
function policyOf(title: string, name: string, { expression, data }: PolicyBomb): Bomb {
  return {
    name: title,
    prepare: async (client) => {
      await client.send(post(POLICIES, policy(name, expression)))
      await client.send(
        post(BINDINGS, {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingAdmissionPolicyBinding',
          metadata: { name },
          spec: {
            policyName: name,
            validationActions: ['Deny'],
            matchResources: { objectSelector: { matchLabels: { bomb: name } } },
          },
        }),
      )
    },
    request: always(
      post(CONFIG_MAPS, {
        ...configMap(name, data),
        metadata: { generateName: `${name}-`, labels: { bomb: name } },
      }),
    ),
  }
}

function policy(name: string, expression: string) {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE'],
            resources: ['configmaps'],
          },
        ],
      },
      validations: [{ expression }],
    },
  }
}

function configMap(name: string, data: Readonly<Record<string, string>>) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }
}

function generated(name: string, data: Readonly<Record<string, string>>) {
  return { ...configMap(name, data), metadata: { generateName: `${name}-` } }
}

/** The same request each time, whose body is serialized once. */
function always(request: RawRequest): Bomb['request'] {
  return () => request
}

function manyKeys(count: number): Record<string, string> {
  return Object.fromEntries(keys(count, (key) => [key, 'x']))
}

function keys<T>(count: number, make: (key: string) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(`key${index}`))
}

function post(path: string, body: object): RawRequest {
  return { method: 'POST', path, body: JSON.stringify(body) }
}
