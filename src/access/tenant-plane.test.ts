import { describe, expect, it } from 'vitest'
import { encodeTenant } from './tenant.ts'
import { tenantOfPlane, tenantPlaneOf } from './tenant-plane.ts'

const ACME = encodeTenant({ org: 'acme', project: 'web' })

describe('the root plane of a tenant', () => {
  it.each([
    ACME,
    encodeTenant({ org: '"\\ {}' }),
    encodeTenant({ org: 'x'.repeat(1014) }),
    encodeTenant({ org: '??>>' }),
  ])('has an ID that names the tenant %s', (tenant) => {
    const plane = tenantPlaneOf(tenant)
    expect(plane).toMatch(/^root\.[\w-]+$/)
    expect(tenantOfPlane(plane)).toBe(tenant)
  })

  it('rejects a tenant whose ID would not fit an index', () => {
    expect(() => tenantPlaneOf(encodeTenant({ org: 'x'.repeat(1015) }))).toThrow(/at most 1024/)
  })

  it.each([
    ['the root plane of the server', 'root'],
    ['an ID without a tenant', 'root.'],
    ['a cluster', '2mXkq6b0rGRMHyiqnYJXCjiSrSs'],
    ['JSON with other spaces', planeOf('{"org": "acme"}')],
    ['fields in another order', planeOf('{"project":"web","org":"acme"}')],
    ['no fields', planeOf('{}')],
    ['another type', planeOf('{"org":1}')],
    ['a list', planeOf('["acme"]')],
    ['bytes after the tenant', `${tenantPlaneOf(ACME)}=`],
    ['a long text', planeOf(encodeTenant({ org: 'x'.repeat(5000) }))],
  ])('does not have the ID of %s', (_case, plane) => {
    expect(tenantOfPlane(plane)).toBeNull()
  })
})

function planeOf(text: string): string {
  return `root.${Buffer.from(text).toString('base64url')}`
}
