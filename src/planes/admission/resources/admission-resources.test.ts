import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../lib/json/json.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { NativeResource } from '../../model/native-resource.ts'
import {
  VALIDATING_ADMISSION_POLICIES,
  VALIDATING_ADMISSION_POLICY_BINDINGS,
} from './admission-policies.ts'
import { MUTATING_WEBHOOK_CONFIGURATIONS } from './webhook-configurations.ts'

const CONTEXT = {
  plane: 'p',
  user: { name: 'jane', uid: '', groups: [], extra: {} },
  version: 'v1',
  subresource: '',
  now: new Date(0),
}

async function errorsOf(
  { type, strategy }: NativeResource,
  members: JsonObject,
): Promise<readonly FieldError[]> {
  const object = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: type.kind,
    metadata: { name: 'a' },
    ...members,
  }
  return (await strategy?.validate?.(object, null, CONTEXT)) ?? []
}

const shown = (errors: readonly FieldError[]): string[] =>
  errors.map(({ field, message }) => `${field}: ${message}`)

const RULE = { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }
const WEBHOOK = {
  name: 'a.example.com',
  clientConfig: { url: 'https://hooks.example.com/a' },
  rules: [RULE],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
}

describe('webhook configurations', () => {
  const errors = (members: JsonObject) =>
    errorsOf(MUTATING_WEBHOOK_CONFIGURATIONS, { webhooks: [{ ...WEBHOOK, ...members }] })

  test('R31: a complete webhook is valid', async () => {
    expect(
      await errors({ matchConditions: [{ name: 'c', expression: 'object != null' }] }),
    ).toEqual([])
  })

  test.each<[JsonObject, string]>([
    [{ name: 'a' }, 'webhooks[0].name: Invalid value: "a": should be a domain with'],
    [{ admissionReviewVersions: ['v1beta1'] }, 'webhooks[0].admissionReviewVersions: Invalid'],
    [{ clientConfig: { url: 'ftp://a.b' } }, "'https' is the only allowed URL scheme"],
    [{ clientConfig: { url: 'https://u:p@a.b' } }, 'user information is not permitted'],
    [{ clientConfig: { url: 'https://a.b?c' } }, 'query parameters are not permitted'],
    [{ clientConfig: { url: 'no url' } }, 'url must be a valid URL'],
    [
      { clientConfig: { service: { name: 'a', namespace: 'b' } } },
      'webhooks[0].clientConfig.service: Forbidden: planes have no services',
    ],
    [{ clientConfig: { url: 'https://a.b', caBundle: 'AAAA' } }, 'caBundle has no valid PEM'],
    [{ rules: [{ ...RULE, operations: ['PATCH'] }] }, 'webhooks[0].rules[0].operations'],
    [{ rules: [{ ...RULE, apiGroups: ['*', 'apps'] }] }, 'must not specify other items'],
    [{ timeoutSeconds: 31 }, 'the timeout value must be between 1 and 30 seconds'],
    [{ sideEffects: 'Some' }, 'webhooks[0].sideEffects: Unsupported value: "Some"'],
    [
      { matchConditions: [{ name: 'c', expression: 'object.' }] },
      'webhooks[0].matchConditions[0].expression: Invalid value: "object.": compilation failed',
    ],
    [
      { objectSelector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } },
      'webhooks[0].objectSelector.matchExpressions[0].operator',
    ],
  ])('R31: rejects %j', async (members, problem) => {
    expect(shown(await errors(members)).join('\n')).toContain(problem)
  })

  test('R31: rejects two webhooks of the same name', async () => {
    const found = await errorsOf(MUTATING_WEBHOOK_CONFIGURATIONS, { webhooks: [WEBHOOK, WEBHOOK] })
    expect(shown(found)).toEqual(['webhooks[1].name: Duplicate value: "a.example.com"'])
  })
})

describe('admission policies', () => {
  const POLICY = {
    matchConstraints: { resourceRules: [RULE] },
    validations: [{ expression: 'object.metadata.name != "x"' }],
  }
  const errors = (spec: JsonObject) =>
    errorsOf(VALIDATING_ADMISSION_POLICIES, { spec: { ...POLICY, ...spec } })

  test('R31: a complete policy is valid', async () => {
    const spec = {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      variables: [{ name: 'a', expression: 'params.data' }],
      validations: [{ expression: 'variables.a != null', messageExpression: '"a"' }],
    }
    expect(await errors(spec)).toEqual([])
  })

  test.each<[JsonObject, string]>([
    [{ validations: [] }, 'spec.validations: Required value'],
    [{ validations: [{ expression: '1 +' }] }, 'spec.validations[0].expression: Invalid value'],
    [{ validations: [{ expression: '1 + 1' }] }, 'must evaluate to bool, found int'],
    [{ validations: [{ expression: 'params.a' }] }, "undeclared reference to 'params'"],
    [{ validations: [{ expression: 'true', messageExpression: '1' }] }, 'must evaluate to string'],
    [{ validations: [{ expression: 'true', message: 'a\nb' }] }, 'must not contain line breaks'],
    [{ validations: [{ expression: 'true', reason: 'Odd' }] }, 'spec.validations[0].reason'],
    [{ variables: [{ name: 'a-b', expression: '1' }] }, 'name is not a valid CEL identifier'],
    [
      {
        variables: [
          { name: 'a', expression: '1' },
          { name: 'a', expression: '1' },
        ],
      },
      'spec.variables[1].name: Duplicate value: "a"',
    ],
    [{ matchConstraints: {} }, 'spec.matchConstraints.resourceRules: Required value'],
    [{ paramKind: { kind: 'A' } }, 'spec.paramKind.apiVersion: Required value'],
  ])('R31: rejects %j', async (spec, problem) => {
    expect(shown(await errors(spec)).join('\n')).toContain(problem)
  })
})

describe('bindings of policies', () => {
  const BINDING = { policyName: 'a', validationActions: ['Deny'] }
  test.each<[JsonObject, string]>([
    [{ policyName: '' }, 'spec.policyName: Required value'],
    [{ validationActions: [] }, 'spec.validationActions: Required value'],
    [{ validationActions: ['Deny', 'Warn'] }, 'must not contain both Deny and Warn'],
    [{ validationActions: ['Shout'] }, 'Unsupported value: "Shout"'],
    [{ paramRef: { parameterNotFoundAction: 'Deny' } }, 'one of name or selector'],
    [{ paramRef: { name: 'a' } }, 'spec.paramRef.parameterNotFoundAction: Required value'],
  ])('R31: rejects %j', async (spec, problem) => {
    const found = await errorsOf(VALIDATING_ADMISSION_POLICY_BINDINGS, {
      spec: { ...BINDING, ...spec },
    })
    expect(shown(found).join('\n')).toContain(problem)
  })
})
