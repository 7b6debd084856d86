import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { errorMessage } from '../../../lib/error-message.ts'
import { caBundleText } from '../../../http/egress/ca-bundle.ts'
import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  requiredValue,
  unsupportedValue,
} from '../../errors/field-errors.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { NativeResource, Strategy } from '../../model/native-resource.ts'
import {
  MUTATING_WEBHOOK_CONFIGURATION_TYPE,
  VALIDATING_WEBHOOK_CONFIGURATION_TYPE,
} from '../../native/admission-registration/webhook-configuration-types.ts'
import { dnsSubdomainMessages } from '../../native/metadata/name-syntax.ts'
import { compileMatchCondition } from '../expressions/admission-language.ts'
import { itemErrors, matchConditionErrors } from './expression-errors.ts'
import { ruleErrors, selectorErrors } from './rule-errors.ts'

const REVIEW_VERSION = 'v1'
const SIDE_EFFECTS = ['None', 'NoneOnDryRun']

async function webhookErrors(field: string, webhook: JsonObject): Promise<readonly FieldError[]> {
  const { name, timeoutSeconds, sideEffects, admissionReviewVersions } = webhook
  const isInRange =
    typeof timeoutSeconds !== 'number' || (timeoutSeconds >= 1 && timeoutSeconds <= 30)
  return [
    ...nameErrors(`${field}.name`, name),
    ...(Array.isArray(admissionReviewVersions) && admissionReviewVersions.includes(REVIEW_VERSION)
      ? []
      : [
          invalidValue(
            `${field}.admissionReviewVersions`,
            admissionReviewVersions ?? [],
            `must include ${REVIEW_VERSION}`,
          ),
        ]),
    ...clientConfigErrors(`${field}.clientConfig`, webhook['clientConfig']),
    ...ruleErrors(`${field}.rules`, webhook['rules']),
    ...selectorErrors(field, webhook),
    ...(await matchConditionErrors(
      `${field}.matchConditions`,
      webhook['matchConditions'],
      compileMatchCondition,
    )),
    ...(isInRange
      ? []
      : [
          invalidValue(
            `${field}.timeoutSeconds`,
            timeoutSeconds,
            'the timeout value must be between 1 and 30 seconds',
          ),
        ]),
    ...(typeof sideEffects === 'string' && SIDE_EFFECTS.includes(sideEffects)
      ? []
      : [unsupportedValue(`${field}.sideEffects`, sideEffects ?? '', SIDE_EFFECTS)]),
  ]
}

function nameErrors(field: string, name: JsonValue | undefined): readonly FieldError[] {
  if (typeof name !== 'string' || name === '') return [requiredValue(field)]
  const messages = dnsSubdomainMessages(name)
  if (messages.length > 0) return messages.map((message) => invalidValue(field, name, message))
  if (name.split('.').length >= 3) return []
  const message = 'should be a domain with at least three segments separated by dots'
  return [invalidValue(field, name, message)]
}

function clientConfigErrors(field: string, value: JsonValue | undefined): readonly FieldError[] {
  const { url, service, caBundle } = isJsonObject(value) ? value : {}
  const bundle = bundleErrors(`${field}.caBundle`, caBundle)
  if (isJsonObject(service)) {
    const message =
      typeof url === 'string'
        ? 'exactly one of url or service is required'
        : 'planes have no services: use url'
    return [...bundle, forbiddenValue(`${field}.service`, message)]
  }
  if (typeof url !== 'string' || url === '') {
    return [...bundle, requiredValue(`${field}.url`, 'exactly one of url or service is required')]
  }
  return [...bundle, ...urlErrors(`${field}.url`, url)]
}

/** The violations of the URL of a webhook. The setting decides which hosts may be called. */
export function urlErrors(field: string, text: string): readonly FieldError[] {
  if (!URL.canParse(text)) return [invalidValue(field, text, 'url must be a valid URL')]
  const { protocol, username, password, search, hash } = new URL(text)
  // Plain HTTP is valid here: the setting allows it for single hosts.
  const problems = [
    protocol === 'https:' || protocol === 'http:' ? '' : "'https' is the only allowed URL scheme",
    username === '' && password === '' ? '' : 'user information is not permitted in the URL',
    hash === '' ? '' : 'fragments are not permitted in the URL',
    search === '' ? '' : 'query parameters are not permitted in the URL',
  ]
  return problems
    .filter((problem) => problem !== '')
    .map((problem) => invalidValue(field, text, problem))
}

function bundleErrors(field: string, value: JsonValue | undefined): readonly FieldError[] {
  try {
    caBundleText(value)
    return []
  } catch (error) {
    return [invalidValue(field, '<omitted>', errorMessage(error))]
  }
}

const STRATEGY: Strategy = {
  validate: (object) => {
    const names = new Set<JsonValue | undefined>()
    return itemErrors('webhooks', object['webhooks'], async (field, webhook) => {
      const { name } = webhook
      const isDuplicate = names.has(name)
      names.add(name)
      return [
        ...(await webhookErrors(field, webhook)),
        ...(isDuplicate ? [duplicateValue(`${field}.name`, name ?? '')] : []),
      ]
    })
  },
}

/** Configurations of webhooks that change objects. */
export const MUTATING_WEBHOOK_CONFIGURATIONS: NativeResource = {
  type: MUTATING_WEBHOOK_CONFIGURATION_TYPE,
  strategy: STRATEGY,
  isConfiguration: true,
}

/** Configurations of webhooks that reject writes. */
export const VALIDATING_WEBHOOK_CONFIGURATIONS: NativeResource = {
  type: VALIDATING_WEBHOOK_CONFIGURATION_TYPE,
  strategy: STRATEGY,
  isConfiguration: true,
}
