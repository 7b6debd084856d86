import type { JsonObject } from '../../lib/json/json.ts'
import type { CompiledRule, ConditionRule } from './condition-rule.ts'
import type { StatusHooks } from './status-hooks.ts'
import type { Subresource, Verb } from './verb.ts'

/** What becomes of a child when its parent is deleted. */
export type DeleteRule = 'cascade' | 'restrict'

/** A searchable field of a kind besides those that every kind has. */
export interface DeclaredField {
  readonly name: string
  readonly type: 'text' | 'int32' | 'time'
  /** The column of `resources` that holds it. */
  readonly column: 'owner_id'
}

/** What resources of a kind may or must refer to: `references.<type>` on the wire. */
export interface ReferenceRule {
  /** Lower-case, as the member's name on the wire: `wif_config`. */
  readonly type: string
  /** The kind of every target. */
  readonly kind: string
  /** How many targets there must be at least. */
  readonly min: number
  /** How many targets there can be at most; null for no limit but the body's. */
  readonly max: number | null
}

/** The declaration of a kind: everything that shared code knows about it. */
export interface Kind {
  /** PascalCase, as `kind` on the wire: `NodePool`. */
  readonly kind: string
  /** Path segment of the collection: `nodepools`. */
  readonly plural: string
  /** Stem of the path parameter `{<singular>_id}`: `nodepool`. */
  readonly singular: string
  readonly parent: { readonly kind: string; readonly onDelete: DeleteRule } | null
  /** Lengths in characters. */
  readonly name: { readonly minLength: number; readonly maxLength: number }
  /** OpenAPI fragment file with the schema `<Kind>Spec`, or the schema itself. */
  readonly spec: URL | JsonObject
  /** Adapters whose reports count; overridden by the setting that `config.ts` names, if any. */
  readonly requiredAdapters: readonly string[]
  readonly searchFields: readonly DeclaredField[]
  readonly references: readonly ReferenceRule[]
  /** The operations that the API serves for the kind; all of them by default. */
  readonly verbs?: readonly Verb[]
  /** Operations beyond the verbs, below the path of one resource. None by default. */
  readonly subresources?: readonly Subresource[]
  /** Whether snapshots of its trees are served; a root kind alone can have them. Not by default. */
  readonly snapshots?: boolean
  /** Wording of conditions. */
  readonly messages: { readonly available: string; readonly ready: string }
  /** Whether adapters report on its resources, which then have conditions. True by default. */
  readonly hasStatuses?: boolean
  /** Conditions that CEL expressions derive from the adapters' reports. None by default. */
  readonly conditions?: readonly ConditionRule[]
}

/** A kind with its spec schema loaded and its expressions compiled, as the registry holds it. */
export interface RegisteredKind extends Kind {
  readonly specSchema: JsonObject
  /** The rules of `conditions`, compiled and sorted by type; absent if there are none. */
  readonly mapping?: readonly CompiledRule[]
  /** Absent if adapters do not report on the kind's resources. */
  readonly statusHooks?: StatusHooks
}

/** Declares a kind; the registry checks it at boot together with all others. */
export function defineKind(kind: Kind): Kind {
  return Object.freeze(kind)
}
