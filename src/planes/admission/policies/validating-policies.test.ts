import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../lib/json/json.ts'
import type { KubeError } from '../../errors/kube-error.ts'
import type { AdmissionRequest } from '../../model/admission.ts'
import type { ApiObject } from '../../model/api-object.ts'
import { CONFIG_MAP, configMap, configurationsWith, requestWith, typeOf } from '../fixtures.ts'
import { matchesLabels } from '../../../store/objects/selection/matches-selector.ts'
import { labelsOf } from '../matching/admission-subject.ts'
import { validatingPolicies } from './validating-policies.ts'

const RULE = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }

function object(kind: string, name: string, spec: JsonObject): ApiObject {
  return { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, spec }
}

const policy = (spec: JsonObject, name = 'p'): ApiObject =>
  object('ValidatingAdmissionPolicy', name, {
    matchConstraints: { resourceRules: [RULE] },
    ...spec,
  })

const rule = (expression: string, members: JsonObject = {}): JsonObject => ({
  validations: [{ expression, ...members }],
})

const binding = (spec: JsonObject = {}): ApiObject =>
  object('ValidatingAdmissionPolicyBinding', 'b', {
    policyName: 'p',
    validationActions: ['Deny'],
    ...spec,
  })

const PARAMETERS = [
  configMap({ max: '3' }, { name: 'small', namespace: 'ns', labels: { use: 'limits' } }),
  configMap({ max: '9' }, { name: 'large', namespace: 'other' }),
]

const stored = (body: ApiObject) => {
  const { name = '', namespace = '' } = body.metadata
  const key = { plane: 'p', resource: 'configmaps', namespace, name }
  return { ...key, uid: name, revision: 1n, body, managedFields: [] }
}

/** The error of a request under one policy; null if it is admitted. */
async function failureOf(
  spec: JsonObject,
  {
    request = {},
    bindings = [binding()],
  }: { request?: Partial<AdmissionRequest>; bindings?: readonly ApiObject[] } = {},
): Promise<KubeError | null> {
  const plugin = validatingPolicies({
    configurations: configurationsWith({
      'validatingadmissionpolicies.admissionregistration.k8s.io': [policy(spec)],
      'validatingadmissionpolicybindings.admissionregistration.k8s.io': bindings,
    }),
    parameters: {
      types: {
        typesOf: async () => ({
          types: [CONFIG_MAP],
          find: () => CONFIG_MAP,
          findByKind: (group, kind) => (group === '' && kind === 'ConfigMap' ? CONFIG_MAP : null),
        }),
      },
      storeOf: () => ({
        read: async ({ namespace, name }) =>
          PARAMETERS.map(stored).find((p) => p.namespace === namespace && p.name === name) ?? null,
        list: async ({ namespace, selector }) => ({
          objects: PARAMETERS.map(stored).filter(
            (p) => p.namespace === namespace && matchesLabels(selector.labels, labelsOf(p.body)),
          ),
          revision: 1n,
          remaining: 0,
          hasMore: false,
        }),
      }),
    },
    authorizer: {
      authorize: async ({ user, verb, resource, path }) => ({
        allowed:
          user.name === 'jane' &&
          verb === 'bless' &&
          (resource?.plural === 'configmaps' || path === '/ok'),
        reason: 'because',
      }),
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
  })
  return (
    plugin.validate?.(requestWith(request)).then(
      () => null,
      (error: KubeError) => error,
    ) ?? null
  )
}

const withData = (data: JsonObject): Partial<AdmissionRequest> => ({ object: configMap(data) })

describe('admission policies', () => {
  test('R31: a violated rule denies the request with message, reason and code', async () => {
    const error = await failureOf(rule('object.data.a == "1"', { message: 'a must be 1' }), {
      request: withData({ a: '2' }),
    })
    const detail = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: a must be 1"
    expect(error).toMatchObject({
      code: 422,
      statusReason: 'Invalid',
      message: `configmaps "a" is forbidden: ${detail}`,
      details: { causes: [{ message: detail }] },
    })
    const forbidden = await failureOf(rule('false', { reason: 'Forbidden' }))
    expect(forbidden).toMatchObject({ code: 403, statusReason: 'Forbidden' })
    expect(forbidden?.message).toMatch(/failed expression: false$/)
  })

  test.each([
    'object.metadata.name == "a" && oldObject == null',
    'request.operation == "CREATE" && request.userInfo.username == "jane"',
    'request.userInfo.groups.exists(g, g == "devs") && request.resource.resource == "configmaps"',
    'namespaceObject.metadata.labels.tier == "gold"',
    '!has(object.data.missing)',
  ])('R31: admits a request that meets %s', async (expression) => {
    expect(await failureOf(rule(expression))).toBeNull()
  })

  test('R31: messageExpression computes the message', async () => {
    const spec = rule('false', {
      message: 'm',
      messageExpression: '"name is " + object.metadata.name',
    })
    expect((await failureOf(spec))?.message).toMatch(/: name is a$/)
    const failing = rule('false', { message: 'm', messageExpression: 'object.nothing' })
    expect((await failureOf(failing))?.message).toMatch(/: m$/)
  })

  test('R31: variables refer to earlier ones and are evaluated at their first use', async () => {
    const variables = [
      { name: 'size', expression: 'object.data.size()' },
      { name: 'isLarge', expression: 'variables.size > 1' },
      { name: 'broken', expression: 'object.nothing.at.all' },
    ]
    const spec = { variables, ...rule('!variables.isLarge || variables.broken == 1') }
    expect(await failureOf(spec, { request: withData({ a: '1' }) })).toBeNull()
    const error = await failureOf(spec, { request: withData({ a: '1', b: '2' }) })
    expect(error?.message).toContain('no such key: nothing')
  })

  test('R31: other events pass within one variable', async () => {
    const expression = 'lists.range(300).all(a, lists.range(300).all(b, a + b >= 0))'
    const spec = {
      variables: [{ name: 'isValid', expression }],
      ...rule('[1, 2].all(x, variables.isValid && x > 0) && variables.isValid'),
    }
    let turns = 0
    let event = setImmediate(function count() {
      turns += 1
      event = setImmediate(count)
    })
    expect(await failureOf(spec)).toBeNull()
    clearImmediate(event)
    expect(turns).toBeGreaterThan(4)
  })

  test('R31: a variable cannot refer to itself or to later ones', async () => {
    const variables = [
      { name: 'a', expression: 'variables.b' },
      { name: 'b', expression: 'variables.a' },
    ]
    const error = await failureOf({ variables, ...rule('variables.b == 1') })
    expect(error?.message).toContain('no such key: b')
  })

  test('R31: a failing expression denies with failurePolicy Fail only', async () => {
    const error = await failureOf(rule('object.data.missing == "1"'))
    expect(error?.message).toContain(
      `expression 'object.data.missing == "1"' resulted in error: no such key: missing`,
    )
    const open = { ...rule('object.data.missing == "1"'), failurePolicy: 'Ignore' }
    expect(await failureOf(open)).toBeNull()
  })

  test('R31: match conditions select requests', async () => {
    const matchConditions = [{ name: 'c', expression: 'request.operation == "DELETE"' }]
    expect(await failureOf({ matchConditions, ...rule('false') })).toBeNull()
    const request = { operation: 'DELETE', object: null, oldObject: configMap() } as const
    expect(await failureOf({ matchConditions, ...rule('false') }, { request })).not.toBeNull()
  })

  test('R31: Warn sends a warning instead of a denial, and Audit admits', async () => {
    const warnings: string[] = []
    const warn = (text: string): void => void warnings.push(text)
    const bindings = [binding({ validationActions: ['Warn', 'Audit'] })]
    expect(await failureOf(rule('false'), { bindings, request: { warn } })).toBeNull()
    expect(warnings).toEqual([
      "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': failed expression: false",
    ])
  })

  test('R31: a policy has an effect only if a binding matches', async () => {
    expect(await failureOf(rule('false'), { bindings: [] })).toBeNull()
    const other = { namespaceSelector: { matchLabels: { tier: 'silver' } } }
    const bindings = [binding({ matchResources: other })]
    expect(await failureOf(rule('false'), { bindings })).toBeNull()
    const excluded = { excludeResourceRules: [{ ...RULE, resources: ['configmaps'] }] }
    expect(
      await failureOf(rule('false'), { bindings: [binding({ matchResources: excluded })] }),
    ).toBeNull()
    const named = { resourceRules: [{ ...RULE, resourceNames: ['b'] }] }
    expect(
      await failureOf(rule('false'), { bindings: [binding({ matchResources: named })] }),
    ).toBeNull()
  })

  const limited = {
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    ...rule('int(object.data.count) <= int(params.data.max)'),
  }
  const paramRef = (members: JsonObject): { bindings: readonly ApiObject[] } => ({
    bindings: [binding({ paramRef: { parameterNotFoundAction: 'Deny', ...members } })],
  })
  test.each<[string, JsonObject, string, boolean]>([
    ['by name in the namespace of the object', { name: 'small' }, '3', true],
    ['by name in the namespace of the object', { name: 'small' }, '4', false],
    ['by name in another namespace', { name: 'large', namespace: 'other' }, '9', true],
    ['by label', { selector: { matchLabels: { use: 'limits' } } }, '4', false],
    ['that are missing', { name: 'none' }, '1', false],
    ['that are missing and may be', { name: 'none', parameterNotFoundAction: 'Allow' }, '99', true],
  ])(
    'R31: a binding refers to parameters %s: %j, %s',
    async (_what, reference, count, isAllowed) => {
      const error = await failureOf(limited, {
        ...paramRef(reference),
        request: withData({ count }),
      })
      expect(error === null).toBe(isAllowed)
    },
  )

  test('R31: an unknown kind of parameters denies as a configuration error', async () => {
    const spec = { ...limited, paramKind: { apiVersion: 'v1', kind: 'Nothing' } }
    const error = await failureOf(spec, paramRef({ name: 'a' }))
    expect(error?.message).toContain(
      'failed to configure binding: paramKind kind `v1, Kind=Nothing` not known',
    )
  })

  test.each([
    ['authorizer.group("").resource("configmaps").namespace("ns").check("bless").allowed()', true],
    ['authorizer.group("").resource("secrets").check("bless").allowed()', false],
    ['authorizer.requestResource.check("bless").allowed()', true],
    ['authorizer.requestResource.check("curse").allowed()', false],
    ['authorizer.path("/ok").check("bless").reason() == "because"', true],
    ['authorizer.serviceAccount("a", "b").requestResource.check("bless").allowed()', false],
    [
      'authorizer.path("/no").check("bless").allowed() || authorizer.path("/ok").check("bless").allowed()',
      true,
    ],
  ])('R31: an expression asks the authorizer: %s', async (expression, isAllowed) => {
    expect((await failureOf(rule(expression))) === null).toBe(isAllowed)
  })

  test('R31: the number of questions to the authorizer is limited', async () => {
    const list = JSON.stringify(Array.from({ length: 100 }, (_, index) => `/${index}`))
    const error = await failureOf(
      rule(`${list}.all(p, !authorizer.path(p).check("get").allowed())`),
    )
    expect(error?.message).toContain('too many different authorizer checks')
  })

  test('R31: the steps of all rules are limited together', async () => {
    const list = JSON.stringify(Array.from({ length: 200 }, (_, index) => index))
    const heavy = `${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c >= 0)))`
    const validations = Array.from({ length: 20 }, () => ({ expression: heavy }))
    const error = await failureOf({ validations })
    expect(error?.message).toContain('too many steps')
  })

  test('R31: policies and bindings are exempt, so that they can be repaired', async () => {
    const type = typeOf('admissionregistration.k8s.io', 'ValidatingAdmissionPolicyBinding')
    expect(await failureOf(rule('false'), { request: { type } })).toBeNull()
  })
})
