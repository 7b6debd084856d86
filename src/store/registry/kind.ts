import type { JsonObject } from '../../lib/json/json.ts'
import type { CompiledRule, ConditionRule } from './condition-rule.ts'
import type { StatusHooks } from './status-hooks.ts'
import type { Subresource, Verb } from './verb.ts'

/** The effect of deleting a parent on its children. */
export type DeleteRule = 'cascade' | 'restrict'

/** References that resources of a kind may or must have: `references.<type>` on the wire. */
export interface ReferenceRule {
  /** The field's name on the wire, in lower case: `wif_config`. */
  readonly type: string
  /** The kind of every target. */
  readonly kind: string
  /** Minimum number of targets. */
  readonly min: number
  /** Maximum number of targets; null if only the size of the body limits them. */
  readonly max: number | null
}

/** Resources of a kind that the spec of another resource selects, as a list does. */
export interface Selection {
  readonly kind: string
  /** A TSL expression; empty for all resources of the kind. */
  readonly search: string
  /** As `orderBy` of a list; empty for its default. */
  readonly order: string
}

/** The declaration of a kind. Shared code knows a kind only by its declaration. */
export interface Kind {
  /** PascalCase, as `kind` on the wire: `CargoShip`. */
  readonly kind: string
  /** Path segment of the collection: `cargoships`. */
  readonly plural: string
  /** Stem of the path parameter `{<singular>_id}`: `cargoship`. */
  readonly singular: string
  readonly parent: { readonly kind: string; readonly onDelete: DeleteRule } | null
  /** Lengths in characters. */
  readonly name: { readonly minLength: number; readonly maxLength: number }
  /** OpenAPI fragment file with the schema `<Kind>Spec`, or the schema itself. */
  readonly spec: URL | JsonObject
  /** Adapters whose reports count; overridden by the setting that `config.ts` names, if any. */
  readonly requiredAdapters: readonly string[]
  readonly references: readonly ReferenceRule[]
  /** The operations that the API serves for the kind; all of them by default. */
  readonly verbs?: readonly Verb[]
  /** Operations beyond the verbs, below the path of one resource. None by default. */
  readonly subresources?: readonly Subresource[]
  /** Whether the API serves snapshots of its trees. Only root kinds can have them. False by default. */
  readonly snapshots?: boolean
  /** Wording of conditions. */
  readonly messages: { readonly available: string; readonly ready: string }
  /** Whether the server itself is the adapter, so that no setting names others. False by default. */
  readonly isReportedByServer?: boolean
  /** Whether adapters report on its resources, which then have conditions. True by default. */
  readonly hasStatuses?: boolean
  /**
   * The resources that a spec selects. It must be valid as a list, and callers that declare it must be
   * allowed to list the kind. Absent if specs select nothing.
   */
  readonly selects?: (spec: JsonObject) => Selection
  /**
   * Whether requests for all kinds include its resources: lists, watches, webhooks, the overview. Those
   * that name the kind always do. True by default.
   */
  readonly withAllKinds?: boolean
  /** Conditions that CEL expressions derive from the adapters' reports. None by default. */
  readonly conditions?: readonly ConditionRule[]
}

/** A kind with its spec schema loaded and its expressions compiled, as the registry holds it. */
export interface RegisteredKind extends Kind {
  readonly specSchema: JsonObject
  /** The paths of its resources, without their IDs. */
  readonly hrefPrefix: string
  /** The rules of `conditions`, compiled and sorted by type; absent if there are none. */
  readonly mapping?: readonly CompiledRule[]
  /** Absent if adapters do not report on the kind's resources. */
  readonly statusHooks?: StatusHooks
}

/** Declares a kind. The registry checks all kinds together. */
export function defineKind(kind: Kind): Kind {
  return Object.freeze(kind)
}
