import type { FleetList } from '../generated/kplane.ts'
import type { CallOptions } from '../http/request.ts'
import type { Page } from '../resources/page.ts'
import { Fleet } from './fleet.ts'
import type { FleetParts } from './fleet-parts.ts'
import { fleetPath } from './fleet-path.ts'

/** Options of lists of fleets. */
export interface FleetListOptions extends CallOptions {
  /** Selects fleets by their labels, in the syntax of Kubernetes. */
  readonly labelSelector?: string | undefined
  /** Fleets per page. The default is 500. */
  readonly pageSize?: number | undefined
}

const PAGE_SIZE = 500

/** Reads the pages of a list of fleets. */
export async function* readFleets(
  parts: FleetParts,
  { labelSelector, pageSize = PAGE_SIZE, ...options }: FleetListOptions,
): AsyncGenerator<Page<Fleet>, void, undefined> {
  const path = fleetPath()
  let seen = 0
  for (let token: string | undefined; ;) {
    const query = { labelSelector, limit: pageSize, continue: token }
    const request = { method: 'GET', path, query, retry: 'always', ...options } as const
    const { items, metadata } = (await parts.transport.request<FleetList>(request)).body
    seen += items.length
    yield {
      items: items.map((object) => new Fleet(parts, object)),
      total: seen + (metadata.remainingItemCount ?? 0),
      resourceVersion: metadata.resourceVersion ?? '',
    }
    token = metadata.continue === '' ? undefined : metadata.continue
    if (token === undefined) return
  }
}
