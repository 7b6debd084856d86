import type { JsonObject } from '../lib/json/json.ts'
import type { ValuesOf } from '../lib/settings/read-settings.ts'
import type { Setting } from '../lib/settings/setting.ts'
import type { Feed } from '../store/feed/feed.ts'
import type { Database } from '../store/database/database.ts'
import type { Membership } from '../store/operations/servers/membership.ts'
import type { RegisteredKind } from '../store/registry/kind.ts'
import type { Verb } from '../store/registry/verb.ts'
import type { Replicas } from '../store/replicas/replicas.ts'
import type { Table } from '../store/tables/table.ts'
import type { Api } from './api.ts'
import type { Foundation } from './foundation.ts'
import type { FoundationConfig, FoundationValues } from './foundation-settings.ts'

type Rows = Readonly<Record<string, Setting<unknown>>>
type Needs = Readonly<Record<string, Capability>>

/** The ports of a capability: the parts that other capabilities use. */
export type PortsOf<C> = C extends { open(parts: never): infer Opened } ? Awaited<Opened> : never

/** The additions of a capability to the OpenAPI document of the server. */
export interface OpenapiPart {
  /** A YAML file with `paths` and `components`, which may refer to those of the base document. */
  readonly file: URL
  /** The paths of its routes that follow from the kinds. */
  readonly paths?: (kinds: readonly RegisteredKind[]) => JsonObject
}

/** The parts of a server for a capability, with the ports of those that it needs. */
export interface Parts<Values = object, N extends Needs = Needs> extends Foundation<Values> {
  readonly database: Database
  /** Null if the server has no replicas. */
  readonly replicas: Replicas | null
  readonly membership: Membership
  readonly feed: Feed
  readonly api: Api
  /** The whole schema, also of capabilities that this server lacks. */
  readonly tables: readonly Table[]
  /** Of all capabilities of the server. */
  readonly openapi: readonly OpenapiPart[]
  readonly needs: { readonly [Name in keyof N]: PortsOf<N[Name]> }
}

/** The parts of a server whose API listens. */
export interface RunParts<Values = object, N extends Needs = Needs> extends Parts<Values, N> {
  /** The port of the API; 0 if this process does not serve it. */
  readonly port: number
}

/** The declarations of a capability, and the steps of its life. */
export interface Definition<S extends Rows, Derived extends object, N extends Needs, Ports> {
  readonly name: string
  /** The capabilities that must be open before this one. Only their ports are available. */
  readonly needs: N
  readonly settings: S
  /** Values that follow from settings. */
  derive?(values: FoundationValues & ValuesOf<S>): Derived
  /** One line per contradiction between settings that are valid one by one. */
  problems?(values: FoundationValues & ValuesOf<S>): readonly string[]
  readonly openapi?: OpenapiPart
  /** They stay in a database whose servers lack the capability: backups and moves cover them. */
  readonly tables?: readonly Table[]
  /** The verbs of kinds that it implements. Without it, no kind serves them. */
  readonly verbs?: readonly Verb[]
  /** Formats in the database that all servers must share, by their names. */
  formats?(config: FoundationConfig & ValuesOf<S> & Derived): JsonObject
  /**
   * Creates the parts that serve requests, and registers them with the ports of the needed capabilities. Each
   * part hands its closer to the lifecycle as soon as it is open.
   */
  open(parts: Parts<ValuesOf<S> & Derived, N>): Ports | Promise<Ports>
  /** Composes the registrations of other capabilities, when all are open. */
  seal?(parts: Parts<ValuesOf<S> & Derived, N>, ports: Ports): Promise<void> | void
  /** Starts work in the background. Nothing that serves requests depends on it. */
  run?(parts: RunParts<ValuesOf<S> & Derived, N>, ports: Ports): void
}

/** A capability of any settings and ports, as the engine sees it. */
export interface Capability extends Definition<Rows, object, Needs, unknown> {}

/** A part of the product: one folder, and this object. */
export function defineCapability<
  const S extends Rows,
  N extends Needs,
  Ports,
  Derived extends object = object,
>(definition: Definition<S, Derived, N, Ports>): Definition<S, Derived, N, Ports> {
  return definition
}
