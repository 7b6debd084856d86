import { expect, it, test } from 'vitest'
import { encodeTenant, formatTenant } from './tenant.ts'
import { readTenant } from './tenant-argument.ts'

it('reads the dimensions of a tenant in any order', () => {
  const tenant = encodeTenant({ org: 'acme/eu', project: 'a=b' })
  expect(readTenant('project=a=b,org=acme/eu')).toBe(tenant)
})

test.each([{ org: 'x,org=acme' }, { org: 'x,project=web', project: '100 %' }, { org: `'"$(id)` }])(
  'reads the text of every tenant as that tenant: %o',
  (dimensions) => {
    const tenant = encodeTenant(dimensions)
    expect(formatTenant(tenant)).not.toMatch(/[ "$]/)
    expect(readTenant(formatTenant(tenant))).toBe(tenant)
  },
)

test.each(['', 'org', 'org=', '=acme', 'org=acme,', 'org=x,org=acme', 'org=100%'])(
  'rejects %j',
  (text) => {
    expect(() => readTenant(text)).toThrow('is not a tenant')
  },
)
