import { gatewayHeaderName } from './header-name.ts'

/** A dimension of tenants, and the header in which the gateway sends it. */
export interface TenantHeader {
  readonly dimension: string
  /** As it was configured, for messages. */
  readonly label: string
  /** In lower case. */
  readonly header: string
}

/** The encoding of a tenant is part of an index row, whose size is limited. */
const MAX_DIMENSIONS = 4
const DIMENSION = /^[a-z][a-z0-9_]{0,31}$/

/** Reads TENANT_HEADERS: pairs such as `org=X-Tenant-Org,project=X-Tenant-Project`. */
export function readTenantHeaders(text: string): readonly TenantHeader[] {
  const pairs = text.split(',').map((pair) => pairOf(pair.trim()))
  if (pairs.length > MAX_DIMENSIONS) throw new Error(`more than ${MAX_DIMENSIONS} dimensions`)
  refuseDoubled(pairs.map(({ dimension }) => dimension))
  refuseDoubled(pairs.map(({ header }) => header))
  return pairs
}

function pairOf(pair: string): TenantHeader {
  const [dimension = '', label = '', ...rest] = pair.split('=')
  if (!DIMENSION.test(dimension) || label === '' || rest.length > 0) {
    throw new Error(
      `expected dimension=header pairs such as org=X-Tenant-Org, found '${pair}'; a dimension is 1 to 32 of a-z, 0-9 and _`,
    )
  }
  return { dimension, label, header: gatewayHeaderName(label) }
}

function refuseDoubled(names: readonly string[]): void {
  const doubled = names.find((name, index) => names.indexOf(name) < index)
  if (doubled !== undefined) throw new Error(`'${doubled}' appears twice`)
}
