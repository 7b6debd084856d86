import type { FlotillaError } from '../../../lib/errors.ts'
import type { Resource } from '../../model/resource.ts'
import type { Creation } from '../write/new-resource.ts'

/** A child of a new root. Its kind names the root's kind as its parent. */
export type ChildCreation = Omit<Creation, 'ownerId' | 'tenant'>

/** A resource to create, together with its first children. */
export interface TreeCreation {
  readonly root: Creation
  readonly children: readonly ChildCreation[]
}

/** A root and its children, as they are stored. */
export interface CreatedTree {
  /** The position in the list of trees to create, from 0. */
  readonly index: number
  readonly root: Resource
  readonly children: readonly Resource[]
}

export type TreeOutcome =
  | ({ readonly status: 'created' } & Omit<CreatedTree, 'index'>)
  | { readonly status: 'failed'; readonly error: FlotillaError }
  /** The tree is valid, but another one of an atomic request failed, so nothing was written. */
  | { readonly status: 'aborted' }
