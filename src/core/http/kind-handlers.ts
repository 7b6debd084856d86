import { kindRoutes, type KindRoute, type Verb } from '../registry/kind-routes.ts'
import type { AppOptions } from './app-options.ts'
import type { AppRoute } from './app-route.ts'
import { BASE_PATH } from './base-path.ts'
import { type BodyRules, bodyStage } from './validation/body-stage.ts'
import {
  openapiValidation,
  rejectBodyViolations,
  translateValidationErrors,
} from './validation/openapi-validation.ts'
import { reportRules } from './validation/report-rules.ts'
import { create } from './verbs/create.ts'
import { get } from './verbs/get.ts'
import type { VerbHandler } from './verbs/handler.ts'
import { list } from './verbs/list.ts'
import { listStatuses } from './verbs/list-statuses.ts'
import { patch } from './verbs/patch.ts'
import { reportStatus } from './verbs/report-status.ts'

interface VerbDefinition {
  readonly handler: VerbHandler
  /** Null for a verb whose requests have no body. */
  readonly body: BodyRules | null
}

const noFurtherRules: BodyRules = () => []

const VERBS: Record<Verb, VerbDefinition> = {
  list: { handler: list, body: null },
  create: { handler: create, body: noFurtherRules },
  get: { handler: get, body: null },
  patch: { handler: patch, body: noFurtherRules },
  'list-statuses': { handler: listStatuses, body: null },
  'report-status': { handler: reportStatus, body: reportRules },
}

/** The routes of all kinds: body, then the document's rules, then the verb. */
export function kindHandlers(options: AppOptions): readonly AppRoute[] {
  const validation = openapiValidation(options)
  return kindRoutes(options.verbs.operations.registry).map((route) => {
    const { handler, body } = VERBS[route.verb]
    const handlers = [
      ...(body ? [bodyStage(options.bodyLimit, body)] : []),
      ...validation,
      ...(body ? [rejectBodyViolations] : []),
      handler(options.verbs, route),
      translateValidationErrors(options.document, route),
    ]
    return { ...addressOf(route), public: false, handlers }
  })
}

function addressOf({ method, template }: KindRoute) {
  const path = BASE_PATH + template.replaceAll(/\{(\w+)\}/g, ':$1')
  return { method, path, template: BASE_PATH + template }
}
