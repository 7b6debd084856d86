import type { FleetMember, FleetMemberList } from '../generated/kplane.ts'
import type { CallOptions } from '../http/request.ts'
import type { Transport } from '../http/transport.ts'
import type { Page } from '../resources/page.ts'
import { fleetPath } from './fleet-path.ts'

/** Options of lists of members. */
export interface MemberListOptions extends CallOptions {
  /** Only members in this phase. */
  readonly phase?: FleetMember['phase'] | undefined
  /** Members per page, at most 1000, which is the default. */
  readonly pageSize?: number | undefined
}

const PAGE_SIZE = 1000

/** Reads the pages of all members of a fleet, in desired order. */
export async function* readMembers(
  transport: Transport,
  fleet: string,
  { phase, pageSize = PAGE_SIZE, ...options }: MemberListOptions,
): AsyncGenerator<Page<FleetMember>, void, undefined> {
  const path = fleetPath(fleet, 'members')
  let seen = 0
  for (let token: string | undefined; ;) {
    const query = { phase, limit: pageSize, continue: token }
    const request = { method: 'GET', path, query, retry: 'always', ...options } as const
    const { items, metadata } = (await transport.request<FleetMemberList>(request)).body
    seen += items.length
    const total = seen + (metadata.remainingItemCount ?? 0)
    yield { items, total, resourceVersion: metadata.resourceVersion }
    token = metadata.continue === '' ? undefined : metadata.continue
    if (token === undefined) return
  }
}
