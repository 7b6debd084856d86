import { expect, test } from 'vitest'
import { readTenantLimits, watchLimitOf } from './tenant-limits.ts'

test('reads the limits of every tenant', () => {
  expect(readTenantLimits('resources=10000, fleets=0')).toEqual([
    { tenant: '', dimensions: [], limits: { resources: 10_000, fleets: 0 } },
  ])
})

test('reads the limits of single tenants, whose other limits are those of every tenant', () => {
  const limits = readTenantLimits(
    '[{"limits":{"watches":5}},{"tenancy":{"project":"web","org":"acme"},"limits":{"planes":7}}]',
  )
  const tenant = '{"org":"acme","project":"web"}'
  expect(limits[1]).toEqual({ tenant, dimensions: ['project', 'org'], limits: { planes: 7 } })
  expect(watchLimitOf(limits, tenant)).toBe(5)
  expect(watchLimitOf(limits.slice(1), tenant)).toBeNull()
})

test.each([
  ['pods=5', "'pods' has no limit: expected one of resources, planes"],
  ['resources', "expected an integer from 0, found ''"],
  ['resources=-1', "expected an integer from 0, found '-1'"],
  ['resources=1,resources=2', "'resources' appears twice"],
  ['resources=1=2', 'expected limits such as'],
  ['{"resources":1}', 'has no limit'],
  ['[', 'expected limits such as'],
  ['[1]', 'expected limits such as'],
  ['[{"tenant":{},"limits":{}}]', "unknown field 'tenant'"],
  ['[{"limits":{"planes":1.5}}]', "expected an integer from 0, found '1.5'"],
  ['[{"limits":{}},{"limits":{}}]', 'two entries are for all tenants'],
  ['[{"tenancy":{"org":1},"limits":{}}]', "'org' of a tenancy is not a text"],
  ['[{"tenancy":"acme","limits":{}}]', 'expected limits such as'],
])('rejects %s', (text, message) => {
  expect(() => readTenantLimits(text)).toThrow(message)
})
