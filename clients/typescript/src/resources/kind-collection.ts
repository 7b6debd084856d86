import type { MergePatchRequest } from '../generated/hyperfleet.ts'
import { apiPath } from '../http/api-path.ts'
import type { CallOptions } from '../http/request.ts'
import type { Transport } from '../http/transport.ts'
import { Collection } from './collection.ts'
import type { AnyResource } from './any-resource.ts'
import { createRequest } from './create-request.ts'
import { List } from './list.ts'
import type { ListOptions } from './list-options.ts'
import { readPages } from './read-pages.ts'
import { upsert, type UpsertResult } from './upsert.ts'
import type { ChangeOptions, CreateOptions } from './write-options.ts'

/** The parent of resources, such as the cluster of node pools. */
export interface ParentPath {
  /** The plural of the parent's kind, such as `clusters`. */
  readonly plural: string
  readonly id: string
}

/** Selects the resources below a parent. Kinds with a parent need it for creates and names. */
export interface BelowParent {
  readonly parent?: ParentPath | undefined
}

/** A resource to create or replace. */
export interface NewResource extends BelowParent {
  readonly name: string
  /** `kind`, `spec`, `labels`, `annotations` and `references`. */
  readonly body: Readonly<Record<string, unknown>>
}

/** The resources of any kind, also of kinds that the server's configuration declares. */
export class KindCollection<T extends AnyResource> extends Collection<T, MergePatchRequest> {
  readonly #transport: Transport
  readonly #plural: string

  constructor(transport: Transport, plural: string) {
    super(transport, plural)
    this.#transport = transport
    this.#plural = plural
  }

  /** Creates a resource. */
  async create({ name, body, parent }: NewResource, options: CreateOptions = {}): Promise<T> {
    const request = createRequest(this.#pathBelow(parent), { ...body, name }, options)
    return (await this.#transport.request<T>(request)).body
  }

  /** Creates a resource, or replaces the one with this name. Annotations stay unless given. */
  upsert(
    { name, body, parent }: NewResource,
    options: ChangeOptions = {},
  ): Promise<UpsertResult<T>> {
    const path = this.#pathBelow(parent, 'by-name', name)
    return upsert<T>(this.#transport, { path, body }, options)
  }

  /** Reads the live resource of a name. */
  async getByName(
    name: string,
    { parent, ...options }: BelowParent & CallOptions = {},
  ): Promise<T> {
    const path = this.#pathBelow(parent, 'by-name', name)
    const request = { method: 'GET', path, retry: 'always', ...options } as const
    return (await this.#transport.request<T>(request)).body
  }

  /** Lists resources, of one parent or of all. */
  override list({ parent, ...options }: ListOptions & BelowParent = {}): List<T> {
    return new List(() => readPages<T>(this.#transport, this.#pathBelow(parent), options))
  }

  #pathBelow(parent: ParentPath | undefined, ...segments: readonly string[]): string {
    const above = parent === undefined ? [] : [parent.plural, parent.id]
    return apiPath(...above, this.#plural, ...segments)
  }
}
