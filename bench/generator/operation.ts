import type { SearchForm } from '../data/searches.ts'

/** One kind of request that the load generator sends. */
export type Operation =
  | { readonly op: 'get' }
  | { readonly op: 'snapshot' }
  | {
      readonly op: 'list'
      readonly page: number
      readonly pageSize: number
      /** The server may say with 503 that this is too much for it. */
      readonly isTooMuch?: boolean
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

/** What a load consists of: operations by weight. */
export type Mix = readonly (readonly [weight: number, operation: Operation])[]
