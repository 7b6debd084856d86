import type { SearchForm } from '../data/searches.ts'

/** A type of request that the load generator sends. */
export type Operation =
  | { readonly op: 'get' }
  | { readonly op: 'snapshot' }
  | {
      readonly op: 'list'
      readonly page: number
      readonly pageSize: number
      /** Whether the server may reject the request with 503, as it does for very large pages. */
      readonly mayBeUnavailable?: boolean
    }
  | { readonly op: 'poll'; readonly pageSize: number }
  | { readonly op: 'search'; readonly form: SearchForm; readonly breadth: 'selective' | 'broad' }
  | { readonly op: 'create'; readonly specBytes: readonly [number, number] }
  | { readonly op: 'patch' }
  | { readonly op: 'report-new' }
  | { readonly op: 'report-same' }
  | { readonly op: 'report-flip' }
  | { readonly op: 'list-statuses' }
  | { readonly op: 'list-node-pools' }
  | { readonly op: 'get-node-pool' }
  | { readonly op: 'report-node-pool' }
  | { readonly op: 'get-object' }
  | { readonly op: 'list-objects'; readonly query: string }
  /** To the root plane, or to the planes of all clusters. */
  | { readonly op: 'create-object'; readonly planes: 'one' | 'many' }

/** The operations of a load, with their weights. */
export type Mix = readonly (readonly [weight: number, operation: Operation])[]
