import type { RegisteredKind } from './kind.ts'
import type { Registry } from './registry.ts'
import {
  declarationOf,
  type Method,
  serves,
  type Subresource,
  type Verb,
  VERB_DECLARATIONS,
  type VerbDeclaration,
} from './verb.ts'

interface RoutePath {
  readonly method: Method
  /** Path below the base path, with `{parameters}`. */
  readonly template: string
  readonly kind: RegisteredKind
  /** The parent that the path goes through; null on a flat path. */
  readonly parent: RegisteredKind | null
}

/** A route of an operation that every kind can serve. */
export interface VerbRoute extends RoutePath {
  readonly verb: Verb
}

/** A route of an operation that only its kind has. */
export interface SubresourceRoute extends RoutePath {
  readonly verb: 'subresource'
  readonly subresource: Subresource
}

/** One route of a kind; HTTP mounts it and OpenAPI describes it. */
export type KindRoute = VerbRoute | SubresourceRoute

/** The path parameter that holds a resource's id. */
export function idParameter(kind: RegisteredKind): string {
  return `${kind.singular}_id`
}

/** The path parameter that holds a resource's name. */
export function nameParameter(kind: RegisteredKind): string {
  return `${kind.singular}_name`
}

/** Names that root kinds do not give to new resources: they are segments of paths. */
export const RESERVED_RESOURCE_NAMES = ['root', 'bulk', 'by-name'] as const

/** The path of lookups and upserts by name, below the parent's item unless the kind is a root. */
export function lookupTemplate(kind: RegisteredKind, parent: RegisteredKind | null): string {
  const above = parent ? `/${parent.plural}/{${idParameter(parent)}}` : ''
  return `${above}/${kind.plural}/by-name/{${nameParameter(kind)}}`
}

/**
 * The lookups and upserts by name, of root kinds and of children below their parent. `by-name` is
 * never an id: these routes go before all routes that have an id in its place.
 */
export function lookupRoutes(registry: Registry): readonly KindRoute[] {
  return registry.kinds.flatMap((kind) => {
    const parent = kind.parent && registry.byName(kind.parent.kind)
    return verbRoutes({ kind, parent }, { name: lookupTemplate(kind, parent) })
  })
}

/** The routes on flat paths. They include the create route of root kinds only. */
export function flatRoutes(registry: Registry): readonly KindRoute[] {
  return kindRoutes(registry).filter(({ parent }) => parent === null)
}

/**
 * The other routes of every kind. A root kind has flat paths only. A kind with a parent is created
 * below the parent's item; all its other operations also have a flat path, which its `href` uses.
 */
export function kindRoutes(registry: Registry): readonly KindRoute[] {
  return registry.kinds.flatMap((kind) => {
    if (kind.parent === null) return routesAt(kind, null, `/${kind.plural}`)
    const parent = registry.byName(kind.parent.kind)
    const nested = `/${parent.plural}/{${idParameter(parent)}}/${kind.plural}`
    const flat = routesAt(kind, null, `/${kind.plural}`).filter((route) => !creates(route))
    return [...flat, ...routesAt(kind, parent, nested)]
  })
}

/** Whether new resources come from a route, which is nested if the kind has a parent. */
export function creates({ verb }: KindRoute): boolean {
  return verb !== 'subresource' && declarationOf(verb).access === 'create'
}

function routesAt(
  kind: RegisteredKind,
  parent: RegisteredKind | null,
  collection: string,
): KindRoute[] {
  const item = `${collection}/{${idParameter(kind)}}`
  const subresources = (kind.subresources ?? []).map((subresource): SubresourceRoute => {
    const { method, segment } = subresource
    const template = `${item}/${segment}`
    return { verb: 'subresource', method, template, kind, parent, subresource }
  })
  return [...verbRoutes({ kind, parent }, { collection, item }), ...subresources]
}

/** The routes of the verbs that a kind serves, whose paths begin with one of these templates. */
function verbRoutes(
  subject: Pick<RoutePath, 'kind' | 'parent'>,
  templates: Partial<Record<VerbDeclaration['of'], string>>,
): VerbRoute[] {
  return VERB_DECLARATIONS.flatMap(({ verb, method, of, suffix }) => {
    const template = templates[of]
    if (template === undefined || !serves(subject.kind, verb)) return []
    return [{ verb, method, template: template + suffix, ...subject }]
  })
}
