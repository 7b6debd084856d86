import type {
  ChangeList,
  HistoryList,
  JsonPatchRequest,
  MergePatchRequest,
} from '../generated/hyperfleet.ts'
import { NotFound } from '../errors/status-errors.ts'
import { apiPath } from '../http/api-path.ts'
import { JSON_PATCH, MERGE_PATCH } from '../http/patch-types.ts'
import { Repetition } from '../http/repetition.ts'
import type { ApiRequest, CallOptions } from '../http/request.ts'
import type { Transport } from '../http/transport.ts'
import { follow } from '../watch/follow.ts'
import type { WatchEvent } from '../watch/watch-event.ts'
import type { AnyResource } from './any-resource.ts'
import type { ChangeListOptions } from './change-list-options.ts'
import { changeRequest } from './change-request.ts'
import { List } from './list.ts'
import type { ListOptions } from './list-options.ts'
import { readPages } from './read-pages.ts'
import { type ResourceCheck, waitFor, waitForRemoval, type WaitOptions } from './wait-for.ts'
import { type ResourceWatchOptions, watchedResources } from './watched-resources.ts'
import type { ChangeOptions } from './write-options.ts'

/** A resource and the entity tag of its version. */
export interface Tagged<T> {
  readonly resource: T
  readonly tag: string
}

/** The resources of one kind. */
export class Collection<T extends AnyResource, Patch> {
  readonly #transport: Transport
  readonly #segment: string

  constructor(transport: Transport, segment: string) {
    this.#transport = transport
    this.#segment = segment
  }

  /** Reads a resource. */
  async get(id: string, options: CallOptions = {}): Promise<T> {
    return (await this.getWithTag(id, options)).resource
  }

  /** Reads a resource with its entity tag, for a change with `ifMatch`. */
  async getWithTag(id: string, options: CallOptions = {}): Promise<Tagged<T>> {
    const request = { method: 'GET', path: this.#path(id), retry: 'always', ...options } as const
    const { body, headers } = await this.#transport.request<T>(request)
    return { resource: body, tag: headers.get('etag') ?? '' }
  }

  /** Lists resources: iterate over them, over their `pages()`, or call `toArray()`. */
  list(options: ListOptions = {}): List<T> {
    return new List(() => readPages<T>(this.#transport, this.#path(), options))
  }

  /** Lists the resources that match a TSL expression. */
  search(search: string, options: Omit<ListOptions, 'search'> = {}): List<T> {
    return this.list({ ...options, search })
  }

  /** The last changes of a resource and of the reports on it, newest first. */
  async changes(
    id: string,
    { signal, timeout, ...query }: ChangeListOptions = {},
  ): Promise<ChangeList> {
    const path = this.#path(id, 'changes')
    const request = { method: 'GET', path, query, signal, timeout, retry: 'always' } as const
    return (await this.#transport.request<ChangeList>(request)).body
  }

  /** The history of a resource, newest first, including one that has been removed. */
  async history(
    id: string,
    { signal, timeout, ...query }: ChangeListOptions = {},
  ): Promise<HistoryList> {
    const path = this.#path(id, 'history')
    const request = { method: 'GET', path, query, signal, timeout, retry: 'always' } as const
    return (await this.#transport.request<HistoryList>(request)).body
  }

  /** Changes `spec`, `labels` or `annotations` as whole fields. */
  patch(id: string, patch: Patch, options: ChangeOptions = {}): Promise<T> {
    return this.#change(id, patch, { ...changeRequest(options) })
  }

  /** Applies a merge patch (RFC 7396): objects are merged, and null removes a field. */
  mergePatch(id: string, patch: MergePatchRequest, options: ChangeOptions = {}): Promise<T> {
    const request = changeRequest(options)
    const headers = { ...request.headers, 'Content-Type': MERGE_PATCH }
    return this.#change(id, patch, { ...request, headers })
  }

  /** Applies a JSON Patch (RFC 6902). It is repeated only if the server rejected it. */
  jsonPatch(id: string, patch: JsonPatchRequest, options: ChangeOptions = {}): Promise<T> {
    const request = changeRequest(options)
    const headers = { ...request.headers, 'Content-Type': JSON_PATCH }
    return this.#change(id, patch, { ...request, headers, retry: 'rejected' })
  }

  /**
   * Requests the deletion. Returns the resource, which remains until its required adapters have
   * finalized it, or null if a lost response of an earlier attempt had removed it.
   */
  delete(id: string, options: ChangeOptions = {}): Promise<T | null> {
    return this.#remove({ method: 'DELETE', path: this.#path(id) }, options)
  }

  /** Removes a resource without waiting for its adapters. The server records the reason. */
  forceDelete(id: string, reason: string, options: ChangeOptions = {}): Promise<T | null> {
    const path = this.#path(id, 'force-delete')
    return this.#remove({ method: 'POST', path, body: { reason } }, options)
  }

  /** Watches the resources until the signal aborts, across disconnects. */
  watch(options: ResourceWatchOptions = {}): AsyncGenerator<WatchEvent<T>, void, undefined> {
    const { search, fields, shard, signal } = options
    const list = watchedResources<T>(this.#path(), { search, fields, shard }, signal)
    return follow(this.#transport, list, options)
  }

  /**
   * Waits until a condition is True at the current generation, or until a function returns true.
   * Rejects with NotFound if the resource is removed, and with WaitTimeout.
   */
  async waitFor(id: string, check: ResourceCheck<T>, options: WaitOptions = {}): Promise<T> {
    const resource = await this.get(id, { signal: options.signal })
    return await waitFor((watch) => this.watch(watch), { resource, check }, options)
  }

  /** Waits until a resource is removed. */
  async waitForRemoval(id: string, options: WaitOptions = {}): Promise<void> {
    const resource = await this.get(id, { signal: options.signal }).catch((error: unknown) => {
      if (error instanceof NotFound) return null
      throw error
    })
    if (resource !== null) await waitForRemoval((watch) => this.watch(watch), resource, options)
  }

  async #change(id: string, body: unknown, request: ReturnType<typeof changeRequest>): Promise<T> {
    const path = this.#path(id)
    return (await this.#transport.request<T>({ method: 'PATCH', path, body, ...request })).body
  }

  async #remove(
    removal: Pick<ApiRequest, 'method' | 'path' | 'body'>,
    options: ChangeOptions,
  ): Promise<T | null> {
    const isRepetition = (error: Error) => error instanceof NotFound
    const request = { ...removal, ...changeRequest(options), isRepetition }
    try {
      return (await this.#transport.request<T | undefined>(request)).body ?? null
    } catch (error) {
      if (error instanceof Repetition) return null
      throw error
    }
  }

  #path(...segments: readonly string[]): string {
    return apiPath(this.#segment, ...segments)
  }
}
