import { expect, test } from 'vitest'
import type { JsonObject } from '../../lib/json/json.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { NativeResource, WriteContext } from '../model/native-resource.ts'
import { MANDATORY_LEVELS, MANDATORY_SCHEMAS } from './default-objects.ts'
import { FLOW_SCHEMAS } from './flow-schemas.ts'
import { PRIORITY_LEVELS } from './priority-levels.ts'

const CONTEXT: WriteContext = {
  plane: 'root',
  user: { name: 'a', uid: '', groups: [], extra: {} },
  version: 'v1',
  subresource: '',
  now: new Date(0),
}

function object({ type }: NativeResource, name: string, spec: JsonObject): ApiObject {
  return { apiVersion: `${type.group}/v1`, kind: type.kind, metadata: { name }, spec }
}

/** The fields with violations after defaults have been set. */
async function fieldsOf(resource: NativeResource, spec: JsonObject, name = 'a') {
  const { strategy } = resource
  const created = object(resource, name, spec)
  const prepared = strategy?.prepareCreate?.(created, CONTEXT) ?? created
  const errors = await strategy?.validate?.(prepared, null, CONTEXT)
  return errors?.map(({ field }) => field.replace(/^spec\.?/, ''))
}

const level = (spec: JsonObject, name?: string) => fieldsOf(PRIORITY_LEVELS, spec, name)
const schema = (spec: JsonObject, name?: string) => fieldsOf(FLOW_SCHEMAS, spec, name)

const QUEUE = { type: 'Queue', queuing: {} }

function limited(limits: JsonObject) {
  return level({ type: 'Limited', limited: { limitResponse: QUEUE, ...limits } })
}

test('accepts limits at their bounds', async () => {
  expect(await limited({})).toEqual([])
  expect(await limited({ nominalConcurrencyShares: 0, lendablePercent: 100 })).toEqual([])
  expect(await limited({ borrowingLimitPercent: 0, limitResponse: { type: 'Reject' } })).toEqual([])
  const queuing = { queues: 10_000_000, handSize: 2, queueLengthLimit: 1 }
  expect(await limited({ limitResponse: { ...QUEUE, queuing } })).toEqual([])
})

test.each([
  [{ nominalConcurrencyShares: -1 }, 'nominalConcurrencyShares'],
  [{ lendablePercent: 101 }, 'lendablePercent'],
  [{ borrowingLimitPercent: -1 }, 'borrowingLimitPercent'],
  [{ limitResponse: { type: 'Drop' } }, 'limitResponse.type'],
  [{ limitResponse: { type: 'Queue' } }, 'limitResponse.queuing'],
  [{ limitResponse: { type: 'Reject', queuing: {} } }, 'limitResponse.queuing'],
  [{ limitResponse: { ...QUEUE, queuing: { queues: -1 } } }, 'limitResponse.queuing.queues'],
  [{ limitResponse: { ...QUEUE, queuing: { handSize: 65 } } }, 'limitResponse.queuing.handSize'],
  // 12 queues of 64 need 72 bits.
  [{ limitResponse: { ...QUEUE, queuing: { handSize: 12 } } }, 'limitResponse.queuing.handSize'],
  [
    { limitResponse: { ...QUEUE, queuing: { queueLengthLimit: -1 } } },
    'limitResponse.queuing.queueLengthLimit',
  ],
])('rejects the limits %o', async (limits, field) => {
  expect(await limited(limits)).toContain(`limited.${field}`)
})

test('only the level exempt is exempt, and has no limits', async () => {
  expect(await level({ type: 'Exempt' })).toEqual(['type'])
  expect(await level({ type: 'Other' })).toEqual(['type'])
  expect(await level({ type: 'Limited' })).toEqual(['limited'])
  expect(await level({ type: 'Limited', limited: { limitResponse: QUEUE }, exempt: {} })).toEqual([
    'exempt',
  ])
  expect(await level({ type: 'Exempt', limited: {} }, 'exempt')).toContain('limited')
})

test('the specs of mandatory objects are fixed, except for the seats of exempt', async () => {
  for (const [name, spec] of MANDATORY_LEVELS) expect(await level({ ...spec }, name)).toEqual([])
  for (const [name, spec] of MANDATORY_SCHEMAS) {
    expect(await schema({ ...spec }, name)).toEqual([])
    expect(await schema({ ...spec, rules: [] }, name)).toEqual([''])
  }
  const exempt = { nominalConcurrencyShares: 9, lendablePercent: 9 }
  expect(await level({ type: 'Exempt', exempt }, 'exempt')).toEqual([])
  const changed = { limitResponse: { type: 'Reject' }, nominalConcurrencyShares: 6 }
  expect(await level({ type: 'Limited', limited: changed }, 'catch-all')).toEqual([''])
})

test('sets defaults for absent members, and for zeros of Go clients', () => {
  const queuing = { queues: 0, handSize: 0, queueLengthLimit: 0 }
  const limits = { nominalConcurrencyShares: null, limitResponse: { type: 'Queue', queuing } }
  const spec = { type: 'Limited', limited: limits }
  const prepare = PRIORITY_LEVELS.strategy?.prepareCreate
  expect(prepare?.(object(PRIORITY_LEVELS, 'a', spec), CONTEXT)['spec']).toEqual({
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: 30,
      lendablePercent: 0,
      limitResponse: {
        type: 'Queue',
        queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 },
      },
    },
  })
  const prepareSchema = FLOW_SCHEMAS.strategy?.prepareCreate
  const created = prepareSchema?.(object(FLOW_SCHEMAS, 'a', { matchingPrecedence: 0 }), CONTEXT)
  expect(created?.['spec']).toEqual({ matchingPrecedence: 1000 })
})

const LEVEL = { priorityLevelConfiguration: { name: 'users' } }
const USER = { kind: 'User', user: { name: '*' } }
const RESOURCES = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true }
const URLS = { verbs: ['get'], nonResourceURLs: ['/healthz', '/api/*', '/'] }

function rules(rule: JsonObject) {
  return schema({ ...LEVEL, rules: [{ subjects: [USER], nonResourceRules: [URLS], ...rule }] })
}

test('accepts flow schemas with and without rules', async () => {
  expect(await schema({ ...LEVEL, matchingPrecedence: 10_000 })).toEqual([])
  expect(await rules({ resourceRules: [RESOURCES] })).toEqual([])
})

test.each([
  [{ matchingPrecedence: -1 }, 'matchingPrecedence'],
  [{ matchingPrecedence: 10_001 }, 'matchingPrecedence'],
  [{ matchingPrecedence: 1 }, 'matchingPrecedence'],
  [{ distinguisherMethod: { type: 'ByVerb' } }, 'distinguisherMethod.type'],
  [{ priorityLevelConfiguration: {} }, 'priorityLevelConfiguration.name'],
  [{ priorityLevelConfiguration: { name: 'A' } }, 'priorityLevelConfiguration.name'],
])('rejects the flow schema %o', async (spec, field) => {
  expect(await schema({ ...LEVEL, ...spec })).toEqual([field])
})

const INVALID_RULES: readonly (readonly [JsonObject, string])[] = [
  [{ subjects: [] }, 'subjects'],
  [{ nonResourceRules: [] }, ''],
  [{ subjects: [{ kind: 'Robot' }] }, 'subjects[0].kind'],
  [{ subjects: [{ kind: 'Group' }] }, 'subjects[0].group'],
  [{ subjects: [{ ...USER, group: { name: 'a' } }] }, 'subjects[0].group'],
  [
    { subjects: [{ kind: 'ServiceAccount', serviceAccount: { name: '*' } }] },
    'subjects[0].serviceAccount.namespace',
  ],
  [{ resourceRules: [{ ...RESOURCES, verbs: [] }] }, 'resourceRules[0].verbs'],
  [{ resourceRules: [{ ...RESOURCES, verbs: ['post'] }] }, 'resourceRules[0].verbs'],
  [{ resourceRules: [{ ...RESOURCES, apiGroups: ['*', 'apps'] }] }, 'resourceRules[0].apiGroups'],
  [{ resourceRules: [{ ...RESOURCES, resources: [] }] }, 'resourceRules[0].resources'],
  [{ resourceRules: [{ ...RESOURCES, clusterScope: false }] }, 'resourceRules[0].namespaces'],
  [{ resourceRules: [{ ...RESOURCES, namespaces: ['A'] }] }, 'resourceRules[0].namespaces[0]'],
  ...['', 'a', '/a b', '//', '/a*', '/*/a', '/*/*'].map(
    (url) =>
      [
        { nonResourceRules: [{ ...URLS, nonResourceURLs: [url] }] },
        'nonResourceRules[0].nonResourceURLs[0]',
      ] as const,
  ),
]

test.each(INVALID_RULES)('rejects the rule %o', async (rule, field) => {
  expect(await rules(rule)).toEqual([`rules[0]${field === '' ? '' : `.${field}`}`])
})
