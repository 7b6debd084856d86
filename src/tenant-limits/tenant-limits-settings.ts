import type { FoundationValues } from '../capability/foundation-settings.ts'
import type { ValuesOf } from '../lib/settings/read-settings.ts'
import type { Setting } from '../lib/settings/setting.ts'
import { readTenantLimits, type TenantLimits } from './tenant-limits.ts'

/** The settings of the limits of tenants. */
export const TENANT_LIMITS_SETTINGS = {
  tenantLimits: {
    env: 'TENANT_LIMITS',
    shared: true,
    type: 'comma list of name=number, or JSON',
    default: [],
    doc: 'The most that each tenant may have, for example `resources=10000,planes=100,objects=100000,fleets=10,watches=100`. A JSON array also has limits of single tenants. Requires TENANT_HEADERS: see docs/tenancy.md#limits-of-tenants. If unset, there are no limits.',
    read: readTenantLimits,
  } as Setting<readonly TenantLimits[]>,
} as const satisfies Record<string, Setting<unknown>>

/** Limits need tenants, and an entry names a tenant completely. */
export function tenantLimitsProblems({
  tenantHeaders,
  tenantLimits,
}: ValuesOf<typeof TENANT_LIMITS_SETTINGS> &
  Pick<FoundationValues, 'tenantHeaders'>): readonly string[] {
  if (tenantLimits.length === 0) return []
  if (tenantHeaders.length === 0) return ['TENANT_LIMITS needs TENANT_HEADERS']
  const wanted = tenantHeaders.map(({ dimension }) => dimension).toSorted()
  const others = tenantLimits.filter(
    ({ dimensions }) =>
      dimensions.length > 0 && dimensions.toSorted().join(',') !== wanted.join(','),
  )
  return others.map(
    ({ tenant }) => `TENANT_LIMITS: the tenancy ${tenant} must have ${wanted.join(', ')}`,
  )
}
