import type { ObjectContent } from '../../store/objects/model/object-write.ts'
import type { TypedManifest } from './prepare-object.ts'
import type { SeedContext } from './seed-context.ts'

/** An object of a seed. */
export type CompiledObject =
  /** The contents are the same for all members, except for uids and times. */
  | {
      readonly type: 'fixed'
      readonly manifest: TypedManifest
      /** The object and its companions. */
      readonly contents: readonly ObjectContent[]
    }
  /** The manifest has placeholders. */
  | { readonly type: 'variable'; readonly manifest: TypedManifest }

/** Manifests that were validated once, for the planes of many members. */
export interface CompiledSeed {
  readonly context: SeedContext
  /** In the order in which they are written: namespaces and definitions first. */
  readonly objects: readonly CompiledObject[]
  /** Whether the names or namespaces of objects have placeholders. */
  readonly hasVariablePlaces: boolean
}
