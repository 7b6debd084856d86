import type { Client } from '../client.ts'
import type {
  AdapterWorkItem,
  AdapterWorkList,
  AdapterWorkRequest,
} from '../generated/hyperfleet.ts'
import { apiPath } from '../http/api-path.ts'
import type { DiscardReason, StatusReport } from '../resources/statuses.ts'

interface Options {
  readonly adapter: string
  readonly leaseSeconds: number
}

/** The request of a worker. */
type Wanted = { readonly [Key in keyof AdapterWorkRequest]?: AdapterWorkRequest[Key] | undefined }

/** Waiting requests end this much later than the server's wait. */
const MARGIN_MS = 15_000

/** The leases of one adapter. */
export class WorkLeases {
  readonly #client: Client
  readonly #adapter: string
  readonly #leaseSeconds: number

  constructor(client: Client, { adapter, leaseSeconds }: Options) {
    this.#client = client
    this.#adapter = adapter
    this.#leaseSeconds = leaseSeconds
  }

  /** Leases due resources. Waits for them as long as the request says. */
  async lease(wanted: Wanted, signal: AbortSignal): Promise<readonly AdapterWorkItem[]> {
    const { body } = await this.#client.request<AdapterWorkList>({
      method: 'POST',
      path: apiPath('adapters', this.#adapter, 'lease'),
      body: { ...wanted, leaseSeconds: this.#leaseSeconds },
      retry: 'rejected',
      timeout: (wanted.waitSeconds ?? 0) * 1000 + MARGIN_MS,
      signal,
    })
    return body.items
  }

  /** Extends a lease. */
  async renew(token: string, signal: AbortSignal): Promise<void> {
    const path = apiPath('adapters', this.#adapter, 'leases', token, 'renew')
    const body = { leaseSeconds: this.#leaseSeconds }
    await this.#client.request({ method: 'POST', path, body, retry: 'always', signal })
  }

  /** Gives a lease back. With a delay, the work has failed. */
  async giveBack(token: string, delaySeconds: number | null): Promise<void> {
    const path = apiPath('adapters', this.#adapter, 'leases', token)
    const query = delaySeconds === null ? {} : { delaySeconds }
    await this.#client.request({ method: 'DELETE', path, query, retry: 'always' })
  }

  /**
   * Reports the result of a lease and completes it. Returns why the server discarded the report, or
   * null. A repeated report could meet the lease that it has completed itself, so it is sent once.
   */
  async report(
    { resource, lease }: AdapterWorkItem,
    report: StatusReport,
    {
      againSeconds,
      signal,
    }: { readonly againSeconds: number | null; readonly signal: AbortSignal },
  ): Promise<DiscardReason | null> {
    const again = againSeconds === null ? {} : { 'X-Lease-Again': String(againSeconds) }
    const { headers } = await this.#client.request({
      method: 'PUT',
      path: apiPath('resources', resource.id, 'statuses'),
      body: report,
      retry: 'rejected',
      headers: { 'X-Lease-Token': lease.token, ...again },
      signal,
    })
    return headers.get('x-hyperfleet-discarded')
  }
}
