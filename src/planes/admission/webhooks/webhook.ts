import type { StoredObject } from '../../../store/objects/model/stored-object.ts'
import type { PlaneConfiguration } from '../../../store/objects/model/plane-configuration.ts'
import { compareText } from '../../../lib/text/compare-text.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { type MatchConstraints, parseConstraints } from '../matching/match-constraints.ts'
import {
  type CompileExpression,
  type MatchCondition,
  parseMatchConditions,
} from '../matching/match-conditions.ts'
import type { AdmissionVariables } from '../matching/admission-variables.ts'

/** A webhook of a configuration. */
export interface Webhook {
  readonly name: string
  readonly clientConfig: JsonValue | undefined
  readonly constraints: MatchConstraints
  readonly conditions: readonly MatchCondition<AdmissionVariables>[]
  readonly failsOpen: boolean
  readonly allowsDryRun: boolean
  readonly timeoutMs: number
  /** Whether a mutating webhook is called again if later ones have changed the object. */
  readonly isReinvoked: boolean
}

export type WebhookKind = 'mutating' | 'validating'

const RESOURCES = {
  mutating: 'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  validating: 'validatingwebhookconfigurations.admissionregistration.k8s.io',
} as const

const KEYS = {
  mutating: Symbol('mutating webhooks'),
  validating: Symbol('validating webhooks'),
} as const

const DEFAULT_TIMEOUT_SECONDS = 10
const MAX_TIMEOUT_SECONDS = 30

/** The webhooks of a plane by configuration name, then in the order of their configuration. */
export function webhooksOf(
  configuration: PlaneConfiguration,
  kind: WebhookKind,
  compile: CompileExpression<AdmissionVariables>,
): readonly Webhook[] {
  const resource = RESOURCES[kind]
  return configuration.derive(KEYS[kind], [resource], (current) =>
    current
      .objects(resource)
      .toSorted((a, b) => compareText(a.name, b.name))
      .flatMap((object) => parseWebhooks(object, compile)),
  )
}

function parseWebhooks(
  { body }: StoredObject,
  compile: CompileExpression<AdmissionVariables>,
): readonly Webhook[] {
  const { webhooks } = body
  if (!Array.isArray(webhooks)) return []
  return webhooks.filter((item) => isJsonObject(item)).map((item) => parseWebhook(item, compile))
}

function parseWebhook(
  webhook: JsonObject,
  compile: CompileExpression<AdmissionVariables>,
): Webhook {
  const { name, timeoutSeconds, sideEffects } = webhook
  const seconds = typeof timeoutSeconds === 'number' ? timeoutSeconds : DEFAULT_TIMEOUT_SECONDS
  return {
    name: typeof name === 'string' ? name : '',
    clientConfig: webhook['clientConfig'],
    constraints: parseConstraints({
      rules: webhook['rules'],
      matchPolicy: webhook['matchPolicy'],
      namespaceSelector: webhook['namespaceSelector'],
      objectSelector: webhook['objectSelector'],
    }),
    conditions: parseMatchConditions(webhook['matchConditions'], compile),
    failsOpen: webhook['failurePolicy'] === 'Ignore',
    allowsDryRun: sideEffects === 'None' || sideEffects === 'NoneOnDryRun',
    timeoutMs: Math.min(Math.max(seconds, 1), MAX_TIMEOUT_SECONDS) * 1000,
    isReinvoked: webhook['reinvocationPolicy'] === 'IfNeeded',
  }
}
