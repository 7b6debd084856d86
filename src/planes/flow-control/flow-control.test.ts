import { describe, expect, test } from 'vitest'
import { type Caller, UNBOUNDED } from '../../access/principal.ts'
import type { Flow, FlowRequest } from '../../http/fairness/flow-control.ts'
import { CLASS_SEATS } from '../../http/fairness/request-class.ts'
import { DEFAULT_CLASSES } from '../../http/fairness/seats.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { objectsOf } from '../../lib/json/json-fields.ts'
import type { PlaneConfiguration } from '../../store/objects/model/plane-configuration.ts'
import type { StoredObject } from '../../store/objects/model/stored-object.ts'
import { DEFAULT_LEVELS, MANDATORY_SCHEMAS } from './default-objects.ts'
import { flowControlOf } from './flow-control.ts'
import { FLOW_SCHEMAS_KEY } from './flow-schemas.ts'
import { PRIORITY_LEVELS_KEY } from './priority-levels.ts'

const CALLER: Caller = {
  user: 'ada@example.com',
  groups: ['developers'],
  issuer: null,
  bounds: UNBOUNDED,
  keyId: null,
  expiresAt: null,
  isRevoked: () => false,
  tenancy: { type: 'none' },
  isFromGateway: false,
}
const ADA = { kind: 'User', user: { name: 'ada@example.com' } }
const EVERYBODY = { kind: 'Group', group: { name: 'system:authenticated' } }
const TENANT = { type: 'tenant', tenant: '{"org":"acme"}' } as const

function object(resource: string, name: string, spec: JsonObject): StoredObject {
  return {
    plane: 'root',
    resource,
    namespace: '',
    name,
    uid: name,
    revision: 1n,
    body: { spec },
    managedFields: [],
  }
}

interface Configured {
  readonly schemas?: Readonly<Record<string, JsonObject>>
  readonly levels?: Readonly<Record<string, JsonObject>>
}

function configured({ schemas = {}, levels = {} }: Configured) {
  const all = (resource: string, defaults: ReadonlyMap<string, JsonObject>, own: object) => [
    ...[...defaults]
      .filter(([name]) => !(name in own))
      .map(([name, spec]) => object(resource, name, spec)),
    ...Object.entries(own).map(([name, spec]) => object(resource, name, spec)),
  ]
  const objects = new Map([
    [FLOW_SCHEMAS_KEY, all(FLOW_SCHEMAS_KEY, MANDATORY_SCHEMAS, schemas)],
    [PRIORITY_LEVELS_KEY, all(PRIORITY_LEVELS_KEY, DEFAULT_LEVELS, levels)],
  ])
  const configuration: PlaneConfiguration = {
    revision: 1n,
    objects: (resource) => objects.get(resource) ?? [],
    derive: (_key, _resources, compute) => compute(configuration),
  }
  return flowControlOf(configuration)
}

function schema(level: string, subject: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence: 1000,
    rules: [
      {
        subjects: [subject],
        resourceRules: [
          { verbs: ['list'], apiGroups: [''], resources: ['configmaps'], namespaces: ['*'] },
        ],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/api/*'] }],
      },
    ],
    ...more,
  }
}

const LIMITED = {
  nominalConcurrencyShares: 30,
  lendablePercent: 0,
  limitResponse: { type: 'Reject' },
}
const SCRAPERS = { scrapers: { type: 'Limited', limited: LIMITED } }

/** The flow of a list of config maps. */
function flowOf(
  schemas: Readonly<Record<string, JsonObject>>,
  caller: Partial<Caller> = {},
  operation: object = {},
): Flow | null | undefined {
  const listed = { plane: 'root', verb: 'list', resource: 'configmaps', namespace: 'default' }
  const response = { locals: { auditedOperation: { ...listed, ...operation } } }
  const request = { method: 'GET', path: '/api/v1/namespaces/default/configmaps' }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that are read
  const exchange = { request, response } as unknown as FlowRequest
  const full = { ...exchange, caller: { ...CALLER, ...caller }, key: 'ada' }
  return configured({ schemas, levels: SCRAPERS })?.flowOf(full)
}

describe('without configuration', () => {
  test('the classes are those of the callers, with the same seats', () => {
    expect(configured({})).toBeNull()
    const stored = configured({ levels: { users: { ...DEFAULT_LEVELS.get('users') } } })
    expect(stored).toBeNull()
    const same = configured({ levels: { exempt: { type: 'Exempt' } } })?.classes
    const { 'catch-all': rest, flow_control: _, ...classes } = Object.fromEntries(same ?? [])
    expect(classes).toEqual(Object.fromEntries(DEFAULT_CLASSES))
    expect(rest).toEqual({ seats: 5, maxSeats: Infinity, rejects: true, maxWaiting: 0 })
  })
})

test('the seats are divided by the shares of the levels', () => {
  const limited = { ...LIMITED, nominalConcurrencyShares: 133, borrowingLimitPercent: 50 }
  const classes = configured({ levels: { jobs: { type: 'Limited', limited } } })?.classes
  expect(classes?.get('users')?.seats).toBe(CLASS_SEATS.users / 2)
  expect(classes?.get('jobs')).toEqual({ seats: 67, maxSeats: 101, rejects: true, maxWaiting: 0 })
})

describe('a request', () => {
  test('has the level of the flow schema with the lowest precedence', () => {
    const all = {
      a: schema('users', EVERYBODY),
      b: schema('scrapers', ADA, { matchingPrecedence: 10 }),
      c: schema('systems', ADA, { matchingPrecedence: 10 }),
    }
    expect(flowOf(all)?.requestClass).toBe('scrapers')
    expect(flowOf(all, { user: 'bob' })?.requestClass).toBe('users')
  })

  test('skips flow schemas whose level does not exist', () => {
    const dangling = schema('missing', ADA, { matchingPrecedence: 10 })
    expect(flowOf({ a: dangling, b: schema('scrapers', ADA) })?.requestClass).toBe('scrapers')
    expect(flowOf({ a: dangling })).toBeNull()
  })

  test('needs no seat in the level exempt', () => {
    expect(flowOf({ a: schema('exempt', ADA) })?.requestClass).toBeNull()
  })

  test.each([
    [{}, true],
    [{ verb: 'get' }, false],
    [{ group: 'apps' }, false],
    [{ subresource: 'status' }, false],
    [{ namespace: '' }, false],
    [{ resource: undefined }, true],
  ])('with the operation %o matches rules: %s', (operation, matches) => {
    const flow = flowOf({ a: schema('scrapers', ADA) }, {}, operation)
    expect(flow?.requestClass === 'scrapers').toBe(matches)
  })

  test('that corrects the configuration has a class that no level changes', () => {
    const jail = { a: schema('scrapers', EVERYBODY) }
    const group = 'flowcontrol.apiserver.k8s.io'
    const classOf = (caller: Partial<Caller>, operation: object) =>
      flowOf(jail, caller, { group, ...operation })?.requestClass
    expect(classOf({}, {})).toBe('flow_control')
    expect(configured({ schemas: jail, levels: SCRAPERS })?.classes.get('flow_control')).toEqual(
      DEFAULT_CLASSES.get('users'),
    )
    expect(classOf({}, { plane: 'c1' })).toBeUndefined()
    expect(classOf({ tenancy: TENANT }, {})).toBeUndefined()
  })

  test('waits in the queue of its caller, namespace or flow schema', () => {
    const keyOf = (method: JsonObject, caller: Partial<Caller> = {}) =>
      flowOf({ a: schema('scrapers', EVERYBODY, method) }, caller)?.key
    expect(keyOf({})).toBe('["a"]')
    expect(keyOf({ distinguisherMethod: { type: 'ByUser' } })).toBe('["a","ada"]')
    const byNamespace = { distinguisherMethod: { type: 'ByNamespace' } }
    expect(keyOf(byNamespace)).toBe('["a",null,"root","default"]')
    expect(keyOf(byNamespace, { tenancy: TENANT })).not.toBe(keyOf(byNamespace))
  })
})

describe('a caller', () => {
  const account = { user: 'system:serviceaccount:ci:runner' }
  const inRoot = { ...account, plane: 'root' }
  const by = { ...account, groups: [] }
  const ACTING_AS_ADA = {
    ...inRoot,
    user: 'ada@example.com',
    groups: ['system:nodes', 'system:masters'],
    impersonation: { by, uid: '', extra: {} },
  }
  const group = (name: string) => ({ kind: 'Group', group: { name } })
  const accountSubject = (name: string) => ({
    kind: 'ServiceAccount',
    serviceAccount: { namespace: 'ci', name },
  })

  test.each([
    ['its user', ADA, {}, true],
    ['any user', { kind: 'User', user: { name: '*' } }, { tenancy: TENANT }, true],
    ['its group', group('developers'), {}, true],
    ['a group that it claims of the system', group('system:x'), { groups: ['system:x'] }, false],
    ['masters', group('system:masters'), { groups: ['system:masters'] }, false],
    [
      'a user that it claims of the system',
      { kind: 'User', user: { name: 'system:x' } },
      { user: 'system:x' },
      false,
    ],
    ['its service account', accountSubject('runner'), inRoot, true],
    ['the service accounts of its namespace', accountSubject('*'), inRoot, true],
    ['the group of its service account', group('system:serviceaccounts:ci'), inRoot, true],
    ['another service account', accountSubject('other'), inRoot, false],
    [
      'a service account of another plane',
      accountSubject('runner'),
      { ...account, plane: 'c1' },
      false,
    ],
    [
      'all of a namespace, from another plane',
      accountSubject('*'),
      { ...account, plane: 'c1' },
      false,
    ],
    ['a name that a tenant chose', ADA, { tenancy: TENANT }, false],
    ['a group that a tenant chose', group('developers'), { tenancy: TENANT }, false],
    [
      'a service account of a tenant',
      accountSubject('runner'),
      { ...inRoot, tenancy: TENANT },
      false,
    ],
    ['its tenant', group('system:tenant:{"org":"acme"}'), { tenancy: TENANT }, true],
    ['a user that it acts as', ADA, ACTING_AS_ADA, true],
    ['a group that it acts in', group('system:nodes'), ACTING_AS_ADA, true],
    ['masters, although it acts in them', group('system:masters'), ACTING_AS_ADA, false],
    ['itself while it acts as another user', accountSubject('runner'), ACTING_AS_ADA, false],
    ['a user that a tenant acts as', ADA, { ...ACTING_AS_ADA, tenancy: TENANT }, false],
    ['all tenants', group('system:tenants'), { tenancy: TENANT }, true],
    ['any group', group('*'), { tenancy: TENANT }, true],
  ] as const)('matches %s', (_name, subject, caller, matches) => {
    expect(flowOf({ a: schema('scrapers', subject) }, caller) !== null).toBe(matches)
  })

  test('matches a rule by one of its subjects', () => {
    const [rule] = objectsOf(schema('scrapers', ADA)['rules'])
    const subjects = [group('operators'), accountSubject('*'), accountSubject('x'), ADA]
    const many = { a: schema('scrapers', ADA, { rules: [{ ...rule, subjects }] }) }
    const callers = [{}, { user: 'bob', groups: ['operators'] }, inRoot, { user: 'eve' }]
    expect(callers.map((caller) => flowOf(many, caller) !== null)).toEqual([
      true,
      true,
      true,
      false,
    ])
  })
})
