import type { TenantScope } from '../../access/tenant.ts'
import type { Database } from '../../store/database/database.ts'
import { MAX_EXPONENT, WEIGHT_SECONDS } from './record-reports.ts'

/** The recorded reports of an adapter about the resources of a kind. */
export interface AdapterReports {
  readonly adapter: string
  readonly last_report_time: Date
  /** The average of about a minute. */
  readonly reports_per_second: number
}

interface Scope {
  readonly kind: string
  readonly tenant: TenantScope
  /** They precede others if there are too many. */
  readonly required: readonly string[]
  readonly now: Date
  readonly limit: number
}

const READ_REPORTS = {
  name: 'read_adapter_reports',
  text: `
    select adapter, max(last_report_time) as last_report_time,
      sum(recent * exp(-least(${MAX_EXPONENT}, greatest(0,
        extract(epoch from $4::timestamptz - last_report_time)::float8 / ${WEIGHT_SECONDS})))
      ) / ${WEIGHT_SECONDS} as reports_per_second
    from adapter_reports
    where kind = $1::text and ($2::text is null or tenant = $2::text)
    group by adapter
    order by adapter = any($3::text[]) desc, max(last_report_time) desc
    limit $5::integer`,
}

/** Reads the last report and the rate of each adapter that has reported on resources of a kind. */
export function readReports(
  database: Database,
  { kind, tenant, required, now, limit }: Scope,
): Promise<readonly AdapterReports[]> {
  const values = [kind, tenant, [...required], now, limit]
  return database.execute<AdapterReports>(READ_REPORTS, values)
}
