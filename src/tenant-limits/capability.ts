import { defineCapability } from '../capability/capability.ts'
import { retry } from '../lib/async/retry.ts'
import { unlessCollision } from '../store/database/unless-collision.ts'
import { applyLimits } from './storage/apply-limits.ts'
import { watchLimitOf } from './tenant-limits.ts'
import { TENANT_LIMITS_SETTINGS, tenantLimitsProblems } from './tenant-limits-settings.ts'

const COUNTS = { stays: 'each shard counts the rows of its tenants' }

/** A lock that a transaction with many tables waits for can end in a deadlock. */
const MAX_ATTEMPTS = 10

/** Limits the resources, planes, objects, fleets and watches of each tenant. */
export const tenantLimits = defineCapability({
  name: 'tenant-limits',
  needs: {},
  settings: TENANT_LIMITS_SETTINGS,
  problems: tenantLimitsProblems,
  tables: [
    { name: 'tenant_limits', backup: 'derived', move: { stays: 'written by the servers' } },
    { name: 'tenant_planes', backup: 'derived', move: COUNTS },
    { name: 'tenant_usage', backup: 'derived', move: COUNTS },
  ],
  async open({ api, config, database }) {
    const { tenantLimits: limits } = config
    const rows = limits.flatMap(({ tenant, limits: maxima }) =>
      Object.entries(maxima)
        .filter(([counted]) => counted !== 'watches')
        .map(([counted, maximum]) => ({ tenant, counted, maximum })),
    )
    const applied = await retry(MAX_ATTEMPTS, false, () =>
      unlessCollision(() => applyLimits(database, rows).then(() => true), false),
    )
    if (!applied) throw new Error('TENANT_LIMITS: transactions that write keep colliding')
    api.streams.limitTenants((tenant) => watchLimitOf(limits, tenant))
  },
})
