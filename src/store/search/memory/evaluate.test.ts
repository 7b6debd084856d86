import { describe, expect, it } from 'vitest'
import { searchRowOf, type SearchableRow } from '../../../../test/search/search-rows.ts'
import { evaluate } from './evaluate.ts'
import { bound } from '../fixtures.ts'

const ROW: SearchableRow = {
  id: '1',
  name: 'Café',
  created_by: 'a',
  updated_by: '\u{1f600}',
  generation: 3,
  created_time: new Date('2026-01-01T00:00:00.123Z'),
  updated_time: new Date('2026-01-02T00:00:00Z'),
  deleted_time: null,
  deleted_by: null,
  kind: 'Berth',
  owner_id: '',
  labels: { env: 'prod' },
  spec: {
    region: 'eu-west-1',
    replicas: 3,
    share: 0.1,
    tiny: Number.MIN_VALUE,
    large: 1e23,
    enabled: false,
    nothing: null,
    'my key': { In: ['first', { deep: true }] },
    '10': '10',
  },
  conditions: [
    {
      type: 'Ready',
      status: 'False',
      observed_generation: 2,
      created_time: '2026-01-01T00:00:00.000Z',
      last_updated_time: '2026-01-01T00:00:10.000Z',
      last_transition_time: '2026-01-01T00:00:00.123456Z',
    },
  ],
  reports: [],
}

function matches(text: string): boolean {
  return evaluate(bound(text), searchRowOf(ROW, []))
}

describe('a row matches', () => {
  it.each([
    "labels.env = 'prod'",
    "labels.env != 'dev'",
    'labels.nope is null',
    'labels.constructor is null',
    'labels.nope not in ()',
    "not status.conditions.Ready = 'True'",
    'status.conditions.Nope is null',
    "updated_by > '\u{ffff}'",
    "name ilike 'CAF_'",
    "name like 'C%é'",
    "created_time > '2026-01-01T00:00:00.122999999Z'",
    "created_time < '2026-01-01T00:00:00.1230001Z'",
    "created_time between '2026-01-01' and '2026-01-02'",
    'generation not between 5 and 1',
    'deleted_time is null',
    "status.conditions.Ready.last_transition_time = '2026-01-01T00:00:00.123456Z'",
    "status.conditions.Ready.last_transition_time < '2026-01-01T00:00:00.1234561Z'",
    "status.conditions.Ready.last_transition_time > '2026-01-01T00:00:00.123455999Z'",
    "status.conditions.Ready.last_updated_time between '2026-01-01' and '2026-01-01T00:00:10Z'",
    'status.conditions.Ready.observed_generation not in (1, 3)',
    'status.conditions.Nope.last_updated_time is null',
    'status.conditions.Ready.observed_generation is not null',
    "spec.region = 'eu-west-1'",
    "spec.region ilike 'EU-%' and spec.region not like 'us-%'",
    "spec.region between 'e' and 'f'",
    'spec.replicas = 3.000 and spec.replicas not in (2, 4)',
    'spec.replicas between 2.5 and 3e0',
    'spec.share = 0.1 and spec.share < 0.1000000000000000055511151231257827',
    'spec.tiny > 0 and spec.tiny < 1e-300 and spec.tiny > 1e-999999999999',
    'spec.large = 100000000000000000000000 and spec.large < 1e999999999999',
    'spec.enabled = false and spec.enabled is not true',
    'spec.nothing is null and spec.absent is null and spec.region.deeper is null',
    'spec."my key" is not null',
    `spec."my key".In.0 = 'first'`,
    'spec."my key".In.-1.deep is true',
    `spec.10 = '10' and spec."10" is not null`,
    "spec.replicas = '3' and spec.replicas like '%'",
    'spec.10 = 10',
    "spec.enabled != 0 and spec.enabled = 'false'",
    `spec."my key" != 'x'`,
    'spec.region = spec.region and not spec.region < spec.region',
    'spec.replicas > spec.share and spec.tiny < spec.share',
    'name = name and created_time <= updated_time and generation >= generation',
    "deleted_by is null and owner_id is null and KIND = 'Berth'",
    "href like '/api/hyperfleet/v1/berths/%' and owner_kind = 'Harbour'",
    'spec.constructor is null and spec.__proto__ is null and spec.region.length is null',
  ])('%s', (text) => {
    expect(matches(text)).toBe(true)
  })
})

describe('a row does not match', () => {
  it.each([
    "labels.nope != 'x'",
    "not labels.nope = 'x'",
    "labels.nope not like 'x'",
    'labels.nope not between 1 and 2',
    "labels.constructor != 'x'",
    "status.conditions.Nope != 'True'",
    "not (labels.nope = 'x' and labels.env = 'prod')",
    "name ilike 'CAFÉ'",
    "created_time = '2026-01-01T00:00:00.1230001Z'",
    'generation between 5 and 1',
    "deleted_time > '2026-01-01'",
    "not deleted_time > '2026-01-01'",
    "deleted_time != '2026-01-01'",
    "status.conditions.Nope.last_updated_time != '2026-01-01'",
    'not status.conditions.Nope.observed_generation = 1',
    "status.conditions.Ready.last_transition_time = '2026-01-01T00:00:00.123Z'",
    "not spec.replicas = '3'",
    "spec.replicas > '2'",
    "spec.replicas not like '3'",
    "deleted_by != 'x' or owner_id != 'x' or owner_id = ''",
    'spec.nothing = spec.nothing or spec.absent = spec.absent',
    'spec.region < spec.replicas or spec.region >= spec.replicas',
    'deleted_time = deleted_time or labels.nope != labels.env',
    'not spec.10 < 10',
    "spec.enabled not in ('false')",
    'spec.nothing = false',
    'not spec.nothing = false',
    'not (spec.absent = 1)',
    `spec."my key" like '%' or spec."my key" not like 'x'`,
    `spec."My key" is not null`,
    'spec.share = 0.1000000000000000055511151231257827',
    'spec.tiny = 1e-999999999999',
    'spec."my key".In.2 is not null',
  ])('%s', (text) => {
    expect(matches(text)).toBe(false)
  })
})
