import type { RequestHandler } from 'express'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { KindRoute, SubresourceRoute } from '../../store/registry/kind-routes.ts'
import type { AddedVerb, Verb } from '../../store/registry/verb.ts'
import { must } from '../../lib/assert.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { accessOf, hasDryRun, nameParameterOf } from './access.ts'
import { addressOf } from '../paths/address.ts'
import type { ApiPart } from './api-part.ts'
import type { RouteOptions } from './route-options.ts'
import type { AppRoute } from '../../http/server/app-route.ts'
import { patchableNames } from '../wire/resource-fields.ts'
import { MAX_DEPTH } from '../../http/json/check-json.ts'
import { type BodyFormat, jsonFormat, patchFormats } from '../../http/validation/body-format.ts'
import { bodyStage } from '../../http/validation/body-stage.ts'
import { bulkRules } from '../validation/bulk-rules.ts'
import { createDesiredRules } from '../validation/desired-rules.ts'
import { createItemRules } from '../validation/item-rules.ts'
import { givenReferenceRules, referenceRules } from '../validation/reference-rules.ts'
import { reportRules, strictReportRules } from '../validation/report-rules.ts'
import { create } from '../verbs/create.ts'
import { createMany } from '../verbs/create-many.ts'
import { remove } from '../verbs/delete.ts'
import { forceDelete } from '../verbs/force-delete.ts'
import { get } from '../verbs/get.ts'
import { getByName } from '../verbs/get-by-name.ts'
import type { VerbHandler } from '../verbs/handler.ts'
import { list } from '../verbs/list.ts'
import { listStatuses } from '../verbs/list-statuses.ts'
import { nameFromPath } from '../verbs/requests/name-from-path.ts'
import { patch } from '../verbs/patch.ts'
import { pointToLookup } from '../verbs/responses/point-to-lookup.ts'
import { reportStatus } from '../verbs/report-status.ts'
import { upsert } from '../verbs/upsert.ts'
import { bodyWarnings } from '../warnings/body-warnings.ts'

interface VerbDefinition {
  readonly handler: VerbHandler
  /** Whether a body may have the larger size of bulk requests. */
  readonly isBulk?: true
  /** A stage before the validation of the body. */
  readonly prepareBody?: (route: KindRoute) => RequestHandler
  /** Null for a verb whose requests have no body. */
  readonly body: ((route: KindRoute, registry: Registry) => readonly BodyFormat[]) | null
}

const REPORT = [jsonFormat(reportRules)]
const STRICT_REPORT = [jsonFormat(strictReportRules)]

/** A bulk request nests a resource two levels deeper than a creation: `{"items": [...]}`. */
const DEEPEST_OF_BULK = MAX_DEPTH + 2

const VERBS: Record<Exclude<Verb, AddedVerb>, VerbDefinition> = {
  list: { handler: list, body: null },
  create: {
    handler: create,
    body: ({ kind }, registry) => [jsonFormat(referenceRules(registry, kind))],
  },
  'create-many': {
    handler: createMany,
    isBulk: true,
    body: () => [jsonFormat(bulkRules, DEEPEST_OF_BULK)],
  },
  get: { handler: get, body: null },
  'get-by-name': { handler: getByName, body: null },
  upsert: {
    handler: upsert,
    prepareBody: nameFromPath,
    body: ({ kind }, registry) => [jsonFormat(referenceRules(registry, kind))],
  },
  patch: {
    handler: patch,
    body: ({ kind }, registry) =>
      patchFormats(patchableNames(kind), givenReferenceRules(registry, kind)),
  },
  delete: { handler: remove, body: null },
  'force-delete': { handler: forceDelete, body: () => [jsonFormat()] },
  'list-statuses': { handler: listStatuses, body: null },
  'report-status': { handler: reportStatus('lenient'), body: () => REPORT },
  'put-status': { handler: reportStatus('strict'), body: () => STRICT_REPORT },
}

/** Creates the routes of kinds: body, then the document's rules, then the verb. */
export function kindHandlers(
  options: RouteOptions,
  parts: readonly Pick<ApiPart, 'verbs'>[],
): (routes: readonly KindRoute[]) => readonly AppRoute[] {
  const { document, bodyLimit, bulkBodyLimit, compiler, validation } = options
  const { registry } = options.verbs.operations
  const requireDesired = createDesiredRules({ compiler, registry, bodyLimit })
  const itemRulesOf = (kind: RegisteredKind) =>
    createItemRules({ compiler, registry, bodyLimit }, kind)
  const verbs = { ...options.verbs, bodyLimit, requireDesired, itemRulesOf }
  const definitions = { ...VERBS, ...addedVerbs(parts) }
  const handle = (route: KindRoute): AppRoute => {
    const { handler, body, isBulk, prepareBody }: VerbDefinition =
      route.verb === 'subresource'
        ? subresourceOf(options, route)
        : must(definitions[route.verb], `a part with the verb '${route.verb}'`)
    const formats = body?.(route, registry) ?? []
    const types = formats.map(({ type }) => type)
    const handlers = [
      ...(body ? [bodyStage(isBulk ? bulkBodyLimit : bodyLimit, formats)] : []),
      ...(prepareBody ? [prepareBody(route)] : []),
      ...validation.stages(route),
      ...(body ? [bodyWarnings(document, route, types)] : []),
      handler(verbs, route),
      pointToLookup(verbs, route),
    ]
    const nameParameter = nameParameterOf(route)
    return {
      ...addressOf(route.template),
      method: route.method,
      public: false,
      access: accessOf(route),
      hasDryRun: hasDryRun(route),
      // `bulk` is never an id.
      ...(route.verb === 'create-many' && { ownsPath: true }),
      ...(nameParameter !== null && { nameParameter }),
      handlers,
    }
  }
  return (routes) => routes.map(handle)
}

/** The verbs that capabilities implement. */
function addedVerbs(
  parts: readonly Pick<ApiPart, 'verbs'>[],
): Partial<Record<AddedVerb, VerbDefinition>> {
  const verbs = parts.flatMap((part) => Object.entries(part.verbs ?? {}))
  return Object.fromEntries(verbs.map(([verb, handler]) => [verb, { handler, body: null }]))
}

/** The operation of a subresource: any JSON object that its schema accepts is a valid body. */
function subresourceOf(
  { subresources }: RouteOptions,
  { kind, subresource }: SubresourceRoute,
): VerbDefinition {
  const { handler, segment, operation } = subresource
  return {
    handler: must(subresources[handler], `handler '${handler}' of ${kind.kind} ${segment}`),
    body: operation['requestBody'] === undefined ? null : () => [jsonFormat()],
  }
}
