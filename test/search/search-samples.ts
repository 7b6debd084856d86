import type { ConditionStatus } from '../../src/store/model/condition.ts'

/** Few texts, so that rows and literals match; with unusual case, order, wildcards and width. */
export const TEXTS = [
  '',
  'a',
  'A',
  'ab',
  'aB',
  'b',
  '10',
  '-1',
  '1.5',
  '1e1',
  'true',
  'a%b',
  'a_b',
  'a\\b',
  "a'b",
  'a"b',
  'é',
  'É',
  '\u{130}',
  '\u{212a}',
  'k',
  '\u{e000}',
  '\u{fffd}',
  '\u{1f600}',
  'line\nbreak',
] as const

/** Texts that fields outside the spec can have. */
export const NAMES = [
  'Cluster',
  'NodePool',
  'Berth',
  'Harbour',
  '/api/hyperfleet/v1/clusters/a',
  '/api/hyperfleet/v1/berths/1',
  '/api/hyperfleet/v1/%',
] as const

export const LABEL_KEYS = [
  'a',
  'env',
  'app.kubernetes.io/name',
  'my key',
  'in',
  'true',
  '__proto__',
  'quo"te',
  '',
] as const

/** Keys with a meaning in PostgreSQL's arrays, paths and text arrays, or in JavaScript. */
export const SPEC_KEYS = [
  'a',
  'B',
  '0',
  '1',
  '-1',
  '+0',
  '007',
  ' 1',
  '\v1',
  '1 ',
  '1e0',
  '2147483648',
  '-2147483648',
  '',
  'in',
  'true',
  'NULL',
  'a.b',
  '{a,b}',
  'a,b',
  'quo"te',
  "quo'te",
  'back\\slash',
  '__proto__',
  'constructor',
  'length',
  '\u{1f600}',
] as const

/** JSON numbers at the limits of doubles. */
export const DOUBLES = [
  0,
  -0,
  1,
  -1,
  1.5,
  10,
  0.1,
  0.3,
  0.1 + 0.2,
  1e21,
  1e23,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  123456789012345680000,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Number.MIN_VALUE,
  -Number.MIN_VALUE,
] as const

/** Literals that equal a double, are next to one, or exceed all of them. */
export const DECIMALS = [
  '0',
  '-0',
  '+1',
  '1.',
  '1.50',
  '10',
  '1e1',
  '007',
  '0.1',
  '1e-1',
  '0.1000000000000000055511151231257827',
  '0.3',
  '0.30000000000000004',
  '1000000000000000000000',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '123456789012345680000',
  '123456789012345677877',
  '1.7976931348623157e308',
  '1.7976931348623158e308',
  '-1.7976931348623157E+308',
  '5e-324',
  '4.9406564584124654e-324',
  '1e200000',
  '-1e-200000',
  '1e-9999999999999999999999',
  '-1e9999999999999999999999',
] as const

/** Numbers with a suffix of size, and their values. */
export const SUFFIXED: ReadonlyMap<string, string> = new Map([
  ['1Ki', '1024e0'],
  ['-2k', '-2000e0'],
  ['0.01k', '1000e-2'],
])

export const INTEGERS = [
  '10',
  '-1',
  '+1',
  '1e1',
  '0',
  '-0',
  '2.0',
  '007',
  '2147483647',
  '-2147483648',
] as const

export const CONDITIONS = [
  'Ready',
  'Available',
  'Reconciled',
  'Other',
  'DnsSuccessful',
  'ABSuccessful',
] as const
export const STATUSES: readonly ConditionStatus[] = ['True', 'False', 'Unknown']

/** The last four form two pairs, each with one condition type. */
export const ADAPTERS = ['validator', 'hypershift', 'dns', 'Dns', 'a-b', 'aB'] as const

/** The first millisecond of all sample times. */
export const FIRST_TIME = Date.UTC(2026, 0, 1)

/** Times in the stored form of adapters and of the server. */
export const STORED_TIMES = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.0005Z',
  '2026-01-01T00:00:00.000500Z',
  '2026-01-01T00:00:00.000999Z',
  '2026-01-01T00:00:00.001Z',
  '2026-01-01T00:00:00.0019Z',
  '2026-01-01T00:00:10Z',
  '2025-12-31T23:59:59.999999Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999Z',
] as const

export const TIMES = [
  '2026-01-01',
  '2026-01-02',
  '2025-12-31T23:59:59.999Z',
  '2026-01-01T00:00:00.001Z',
  '2026-01-01t01:00:00.001+01:00',
  '2025-12-31 16:00:00.0010-08:00',
  '2026-01-01T00:00:00.0005Z',
  '2026-01-01T00:00:00.000500001Z',
  '2026-01-01T00:00:00.000999999Z',
  '2026-01-01T00:00:00.0019Z',
  '2026-01-01T00:00:00.0019999999Z',
  '2026-01-01T00:00:00.002000z',
  '2026-01-01T00:00:10Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
] as const
