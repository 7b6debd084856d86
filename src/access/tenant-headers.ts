import { gatewayHeaderName } from './header-name.ts'

/** A dimension of tenants and the gateway's header for it. */
export interface TenantHeader {
  readonly dimension: string
  /** The header's name as configured, for messages. */
  readonly label: string
  /** The header's name in lower case. */
  readonly header: string
}

/** The encoded tenant is part of an index row, whose size is limited. */
const MAX_DIMENSIONS = 4
const DIMENSION = /^[a-z][a-z0-9_]{0,31}$/

/** Reads TENANT_HEADERS: pairs such as `org=X-Tenant-Org,project=X-Tenant-Project`. */
export function readTenantHeaders(text: string): readonly TenantHeader[] {
  const pairs = text.split(',').map((pair) => pairOf(pair.trim()))
  if (pairs.length > MAX_DIMENSIONS) throw new Error(`more than ${MAX_DIMENSIONS} dimensions`)
  rejectDuplicates(pairs.map(({ dimension }) => dimension))
  rejectDuplicates(pairs.map(({ header }) => header))
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

function rejectDuplicates(names: readonly string[]): void {
  const duplicate = names.find((name, index) => names.indexOf(name) < index)
  if (duplicate !== undefined) throw new Error(`'${duplicate}' appears twice`)
}
