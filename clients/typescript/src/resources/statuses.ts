import type { AdapterStatus, AdapterStatusCreateRequest } from '../generated/hyperfleet.ts'
import { apiPath } from '../http/api-path.ts'
import type { ApiRequest, ApiResponse, CallOptions } from '../http/request.ts'
import type { Transport } from '../http/transport.ts'
import { follow, type WatchOptions } from '../watch/follow.ts'
import type { WatchEvent } from '../watch/watch-event.ts'
import { watchedResources } from './watched-resources.ts'

/** Why the server did not need a report. */
export type DiscardReason =
  | 'stale-generation'
  | 'unknown-after-report'
  | 'future-generation'
  | 'stale-observed-time'
  | (string & {})

/** The result of a report: stored, or discarded with the reason. */
export type ReportResult =
  | { readonly status: AdapterStatus; readonly discarded: null }
  | { readonly status: null; readonly discarded: DiscardReason }

/**
 * A report to send. `observed_generation` is the generation of the resource that the adapter acted
 * on. Without it, a report would count for generation 0.
 */
export interface StatusReport extends AdapterStatusCreateRequest {
  readonly observed_generation: number
}

interface StatusList {
  readonly items: readonly AdapterStatus[]
}

const MAX_ADAPTERS = 1000

/** The reports of adapters on a resource of any kind, by the ID of the resource. */
export class Statuses {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All reports on a resource, sorted by adapter. */
  async list(id: string, options: CallOptions = {}): Promise<readonly AdapterStatus[]> {
    const query = { pageSize: MAX_ADAPTERS }
    const request = { method: 'GET', path: pathOf(id), query, retry: 'always', ...options } as const
    return (await this.#transport.request<StatusList>(request)).body.items
  }

  /** Stores a report in the strict profile, which requires Available, Applied and Health. */
  report(id: string, report: StatusReport, options: CallOptions = {}): Promise<ReportResult> {
    return this.#send({ ...options, method: 'PUT', path: pathOf(id), body: report })
  }

  /** Stores a report in the lenient profile. */
  create(id: string, report: StatusReport, options: CallOptions = {}): Promise<ReportResult> {
    return this.#send({ ...options, method: 'POST', path: pathOf(id), body: report })
  }

  /** Watches the reports on a resource until the signal aborts, across disconnects. */
  watch(
    id: string,
    options: WatchOptions = {},
  ): AsyncGenerator<WatchEvent<AdapterStatus>, void, undefined> {
    const list = watchedResources<AdapterStatus>(pathOf(id), {}, options.signal)
    return follow(this.#transport, list, options)
  }

  /** A repeated report replaces the first one with the same content, so repeats do no harm. */
  async #send(report: Omit<ApiRequest, 'retry'>): Promise<ReportResult> {
    const request = { ...report, retry: 'always' } as const
    return resultOf(await this.#transport.request<AdapterStatus | undefined>(request))
  }
}

function resultOf({ body, headers }: ApiResponse<AdapterStatus | undefined>): ReportResult {
  if (body !== undefined) return { status: body, discarded: null }
  return { status: null, discarded: headers.get('x-hyperfleet-discarded') ?? 'unknown' }
}

function pathOf(id: string): string {
  return apiPath('resources', id, 'statuses')
}
