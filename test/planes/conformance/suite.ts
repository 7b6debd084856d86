import { randomUUID } from 'node:crypto'
import type { CallOptions, PlaneClient, PlaneResponse, PlaneWatch } from './plane-client.ts'
import { collectionPath, type Subject } from './subjects.ts'

/** The circumstances in which each rule is tested: a plane, a resource and a namespace. */
export interface Suite {
  readonly subject: Subject
  readonly namespace: string
  readonly plane: () => PlaneClient
}

/** The operations of the tests on the collection of a suite. */
export interface Collection {
  readonly path: string
  /** A name that no other test uses. */
  unique(prefix?: string): string
  /** An object with a value. */
  object(name: string, value?: string, metadata?: object): Record<string, unknown>
  create(name: string, value?: string, metadata?: object): Promise<PlaneResponse>
  get(name: string, options?: CallOptions): Promise<PlaneResponse>
  put(name: string, body: unknown, options?: CallOptions): Promise<PlaneResponse>
  /** A JSON merge patch. */
  merge(name: string, body: unknown, options?: CallOptions): Promise<PlaneResponse>
  delete(name: string, options?: CallOptions): Promise<PlaneResponse>
  list(query?: Readonly<Record<string, string>>, accept?: string): Promise<PlaneResponse>
  watch(query?: Readonly<Record<string, string>>, accept?: string): Promise<PlaneWatch>
}

export const MERGE = 'application/merge-patch+json'
export const JSON_PATCH = 'application/json-patch+json'
export const STRATEGIC = 'application/strategic-merge-patch+json'
export const APPLY = 'application/apply-patch+yaml'

/** The collection of a suite. */
export function collectionOf({ subject, namespace, plane }: Suite): Collection {
  const path = collectionPath(subject, namespace)
  const at = (name: string) => `${path}/${name}`
  const object: Collection['object'] = (name, value = 'one', metadata = {}) => ({
    apiVersion: subject.group === '' ? subject.version : `${subject.group}/${subject.version}`,
    kind: subject.kind,
    metadata: { name, ...metadata },
    ...subject.content(value),
  })
  return {
    path,
    unique: (prefix = 'o') => `${prefix}-${randomUUID().slice(0, 8)}`,
    object,
    create: (name, value, metadata) =>
      plane().call('POST', path, { body: object(name, value, metadata) }),
    get: (name, options) => plane().call('GET', at(name), options),
    put: (name, body, options) => plane().call('PUT', at(name), { ...options, body }),
    merge: (name, body, options) =>
      plane().call('PATCH', at(name), { type: MERGE, ...options, body }),
    delete: (name, options) => plane().call('DELETE', at(name), options),
    list: (query, accept) =>
      plane().call('GET', path, { ...(query && { query }), ...(accept && { accept }) }),
    watch: (query, accept) => plane().watch(path, query, accept),
  }
}

/** The revision of an object or list. */
export function revisionOf(body: PlaneResponse['body']): bigint {
  return BigInt(body.metadata.resourceVersion)
}

/** The names of the objects of a list. */
export function namesOf(list: PlaneResponse): readonly string[] {
  return list.body.items.map((item: { metadata: { name: string } }) => item.metadata.name)
}

/** Asserts nothing by itself: a Status with this code and reason, for toMatchObject. */
export function failure(code: number, reason: string) {
  return {
    status: code,
    body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason },
  }
}
