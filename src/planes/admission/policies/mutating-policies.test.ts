import { expect, test } from 'vitest'
import type { JsonObject } from '../../../lib/json/json.ts'
import { objectOf } from '../../../lib/json/json-fields.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { Schema } from '../../model/schema.ts'
import { configurationsWith, requestWith, typeOf } from '../fixtures.ts'
import { mutatingPolicies } from './mutating-policies.ts'

const TEXT: Schema = { type: 'string' }
const CONTAINER: Schema = {
  type: 'object',
  properties: { name: TEXT, image: TEXT, args: { type: 'array', items: TEXT } },
}
const SPEC: Schema = {
  type: 'object',
  properties: {
    size: { type: 'integer' },
    notes: { type: 'object', additionalProperties: TEXT },
    containers: {
      type: 'array',
      items: CONTAINER,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
  },
}
const BASE = typeOf('example.com', 'Widget')
const WIDGET = {
  ...BASE,
  versions: BASE.versions.map((version) => ({
    ...version,
    schema: { type: 'object', properties: { spec: SPEC } } as const,
  })),
}

const RULE = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }

function object(kind: string, name: string, spec: JsonObject): ApiObject {
  return { apiVersion: 'admissionregistration.k8s.io/v1beta1', kind, metadata: { name }, spec }
}

const binding = (policyName: string, spec: JsonObject = {}): ApiObject =>
  object('MutatingAdmissionPolicyBinding', `of-${policyName}`, { policyName, ...spec })

const policy = (name: string, spec: JsonObject): ApiObject =>
  object('MutatingAdmissionPolicy', name, {
    matchConstraints: { resourceRules: [RULE] },
    reinvocationPolicy: 'Never',
    ...spec,
  })

const apply = (expression: string): JsonObject => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
})
const patch = (expression: string): JsonObject => ({
  patchType: 'JSONPatch',
  jsonPatch: { expression },
})

const widget = (spec: JsonObject): ApiObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'ns' },
  spec,
})

interface Options {
  readonly spec?: JsonObject
  readonly bindings?: readonly ApiObject[]
  readonly next?: (object: ApiObject) => ApiObject
}

/** The object of a write after the policies. */
async function mutated(
  policies: readonly ApiObject[],
  { spec = {}, bindings, next = (given) => given }: Options = {},
): Promise<ApiObject> {
  const bound = bindings ?? policies.map(({ metadata }) => binding(metadata.name ?? ''))
  const mutate = mutatingPolicies(
    {
      configurations: configurationsWith({
        'mutatingadmissionpolicies.admissionregistration.k8s.io': policies,
        'mutatingadmissionpolicybindings.admissionregistration.k8s.io': bound,
      }),
      parameters: {
        types: {
          typesOf: async () => ({ types: [], find: () => null, findByKind: () => WIDGET }),
        },
        storeOf: () => ({
          read: async (key) => ({
            ...key,
            uid: 'u',
            revision: 1n,
            managedFields: [],
            body: widget({ size: 7 }),
          }),
          list: async () => ({ objects: [], revision: 1n, remaining: 0, hasMore: false }),
        }),
      },
      authorizer: {
        authorize: async ({ verb }) => ({ allowed: verb === 'bless', reason: '' }),
      },
      readNamespace: async (_plane, name) => ({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name, labels: { tier: 'gold' } },
      }),
      convert: async ({ group }, given, version) => ({
        ...given,
        apiVersion: `${group}/${version}`,
      }),
    },
    async (request) => next(request.object),
  )
  return mutate({ ...requestWith({ type: WIDGET, name: 'w' }), object: widget(spec) })
}

const specAfter = async (mutation: JsonObject, spec: JsonObject = {}, members: JsonObject = {}) => {
  const result = await mutated([policy('p', { mutations: [mutation], ...members })], { spec })
  return objectOf(result['spec'])
}

test('R31: an apply configuration is merged by the keys of lists', async () => {
  const expression = `Object{
    metadata: Object.metadata{labels: {"tier": namespaceObject.metadata.labels.tier}},
    spec: Object.spec{
      ?size: object.spec.?size.optMap(size, size * 2),
      notes: {"by": request.operation},
      containers: [Object.spec.containers{name: "side", image: "s"}],
    },
  }`
  const main = { name: 'main', image: 'm', args: ['a'] }
  const result = await mutated([policy('p', { mutations: [apply(expression)] })], {
    spec: { size: 2, notes: { own: 'x' }, containers: [main, { name: 'side', image: 'old' }] },
  })
  expect(result).toMatchObject({ metadata: { name: 'w', labels: { tier: 'gold' } } })
  expect(result['spec']).toEqual({
    size: 4,
    notes: { own: 'x', by: 'CREATE' },
    containers: [main, { name: 'side', image: 's' }],
  })
})

test('R31: JSON patches run in order, with escaped keys; a failed test changes nothing', async () => {
  const add = patch(
    'JSONPatch{op: "add", path: "/spec/notes/" + jsonpatch.escapeKey("a/b~c"), value: string(object.spec.size)}'
      .replace(/^/, '[')
      .concat(']'),
  )
  const remove = patch('[JSONPatch{op: "remove", path: "/spec/size"}]')
  const spec = { size: 3, notes: {} }
  const both = await mutated([policy('p', { mutations: [add, remove] })], { spec })
  expect(both['spec']).toEqual({ notes: { 'a/b~c': '3' } })
  const failed = `[JSONPatch{op: "test", path: "/spec/size", value: 4},
    JSONPatch{op: "remove", path: "/spec/size"}]`
  expect(await specAfter(patch(failed), spec)).toEqual(spec)
  const struct =
    '[JSONPatch{op: "add", path: "/spec/containers", value: [Object.spec.containers{name: "n"}]}]'
  expect(await specAfter(patch(struct))).toEqual({ containers: [{ name: 'n' }] })
})

const SIZE_3 = apply('Object{spec: Object.spec{size: 3}}')
const PARAM_KIND = { apiVersion: 'example.com/v1', kind: 'Widget' }

test('R31: conditions, variables, parameters decide about a mutation', async () => {
  const never = [{ name: 'never', expression: 'object.spec.size > 5' }]
  expect(await specAfter(SIZE_3, { size: 1 }, { matchConditions: never })).toEqual({ size: 1 })
  expect(await specAfter(SIZE_3, { size: 6 }, { matchConditions: never })).toEqual({ size: 3 })
  const blessed = [
    {
      name: 'blessed',
      expression: 'authorizer.group("").resource("configmaps").check("bless").allowed()',
    },
  ]
  expect(await specAfter(SIZE_3, {}, { matchConditions: blessed })).toEqual({ size: 3 })
  const variables = [{ name: 'next', expression: 'params.spec.size + 1' }]
  const spec = {
    paramKind: PARAM_KIND,
    variables,
    mutations: [apply('Object{spec: Object.spec{size: variables.next}}')],
  }
  const paramRef = { name: 'limits', parameterNotFoundAction: 'Deny' }
  const bindings = [binding('p', { paramRef })]
  expect((await mutated([policy('p', spec)], { bindings }))['spec']).toEqual({ size: 8 })
})

test('R31: IfNeeded repeats a policy once after later changes', async () => {
  const count = (name: string, reinvocationPolicy: string) =>
    policy(name, {
      reinvocationPolicy,
      mutations: [apply('Object{spec: Object.spec{size: object.spec.size + 1}}')],
    })
  const spec = { size: 0 }
  const sizeOf = async (policies: readonly ApiObject[], next?: Options['next']) =>
    objectOf((await mutated(policies, { spec, ...(next && { next }) }))['spec'])['size']
  expect(await sizeOf([count('a', 'Never'), count('b', 'Never')])).toBe(2)
  // The later policy has changed what the first one has seen, but not the reverse.
  expect(await sizeOf([count('a', 'IfNeeded'), count('b', 'IfNeeded')])).toBe(3)
  const webhook = (given: ApiObject) => ({ ...given, spec: { size: 10 } })
  expect(await sizeOf([count('a', 'Never')], webhook)).toBe(10)
  expect(await sizeOf([count('a', 'IfNeeded')], webhook)).toBe(11)
})

test.each([
  ['Object{spec: Object.wrong{}}', 'type mismatch: unexpected type name "Object.wrong"'],
  ['Object{spec: Object.spec{other: 1}}', '.spec.other: field not declared in schema'],
  [
    'Object{spec: Object.spec{containers: [Object.spec.containers{name: "a", args: ["b"]}]}}',
    'may not mutate atomic arrays, maps or structs: .spec.containers[0].args',
  ],
  ['Object{spec: Object.spec{size: object.spec.missing}}', 'no such key: missing'],
])('R31: %s denies the request unless the policy fails open', async (expression, message) => {
  await expect(specAfter(apply(expression))).rejects.toMatchObject({
    code: 403,
    statusReason: 'Invalid',
    message: expect.stringContaining("policy 'p' with binding 'of-p' denied request: "),
  })
  await expect(specAfter(apply(expression))).rejects.toThrow(message)
  expect(await specAfter(apply(expression), { size: 1 }, { failurePolicy: 'Ignore' })).toEqual({
    size: 1,
  })
})

test('R31: a mutation keeps the identity of the object', async () => {
  const rename = '[JSONPatch{op: "replace", path: "/metadata/name", value: "other"}]'
  const result = await mutated([policy('p', { mutations: [patch(rename)] })])
  expect(result.metadata.name).toBe('w')
})
