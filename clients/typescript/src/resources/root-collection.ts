import { apiPath } from '../http/api-path.ts'
import type { CallOptions } from '../http/request.ts'
import type { Transport } from '../http/transport.ts'
import type { AnyResource } from './any-resource.ts'
import { createMany, type CreateManyOptions, type CreateResult } from './bulk.ts'
import { Collection } from './collection.ts'
import { createRequest } from './create-request.ts'
import { upsert, type UpsertResult } from './upsert.ts'
import type { ChangeOptions, CreateOptions } from './write-options.ts'

interface RootKind {
  readonly kind: string
  readonly plural: string
}

interface Named {
  readonly name: string
}

/** The resources of a built-in kind without a parent. */
export class RootCollection<T extends AnyResource, New extends Named, Patch> extends Collection<
  T,
  Patch
> {
  readonly #transport: Transport
  readonly #kind: RootKind

  constructor(transport: Transport, kind: RootKind) {
    super(transport, kind.plural)
    this.#transport = transport
    this.#kind = kind
  }

  /** Creates a resource. */
  async create(resource: New, options: CreateOptions = {}): Promise<T> {
    const request = createRequest(this.#path(), this.#body(resource), options)
    return (await this.#transport.request<T>(request)).body
  }

  /** Creates up to 1000 resources in one request: a result for each, in their order. */
  createMany(
    resources: readonly New[],
    options: CreateManyOptions = {},
  ): Promise<readonly CreateResult<T>[]> {
    const items = resources.map((resource) => this.#body(resource))
    return createMany<T>(this.#transport, { path: this.#path('bulk'), items }, options)
  }

  /** Creates a resource, or replaces the one with this name. Annotations stay unless they are given. */
  upsert({ name, ...rest }: New, options: ChangeOptions = {}): Promise<UpsertResult<T>> {
    const [path, body] = [this.#path('by-name', name), this.#body(rest)]
    return upsert<T>(this.#transport, { path, body }, options)
  }

  /** Reads the live resource of a name. */
  async getByName(name: string, options: CallOptions = {}): Promise<T> {
    const path = this.#path('by-name', name)
    const request = { method: 'GET', path, retry: 'always', ...options } as const
    return (await this.#transport.request<T>(request)).body
  }

  #body(resource: object): object {
    return { kind: this.#kind.kind, spec: {}, ...resource }
  }

  #path(...segments: readonly string[]): string {
    return apiPath(this.#kind.plural, ...segments)
  }
}
