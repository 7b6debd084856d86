import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import {
  forbiddenValue,
  invalidValue,
  requiredValue,
  unsupportedValue,
} from '../errors/field-errors.ts'
import type { FieldError } from '../model/field-error.ts'
import { objectOf, textOf, textsOf } from '../../lib/json/json-fields.ts'

const PATH = 'spec.conversion'
const WEBHOOK = `${PATH}.webhook`
const REVIEW_VERSIONS = `${WEBHOOK}.conversionReviewVersions`

/** The violations of `spec.conversion`. */
export function conversionErrors(conversion: JsonObject): readonly FieldError[] {
  const strategy = textOf(conversion['strategy'])
  const hasWebhook = isJsonObject(conversion['webhook'])
  switch (strategy) {
    case '':
      return [requiredValue(`${PATH}.strategy`)]
    case 'None': {
      const detail = 'should not be set when strategy is not set to Webhook'
      return hasWebhook ? [forbiddenValue(WEBHOOK, detail)] : []
    }
    case 'Webhook':
      return hasWebhook
        ? webhookErrors(objectOf(conversion['webhook']))
        : [requiredValue(`${WEBHOOK}.clientConfig`, 'required when strategy is set to Webhook')]
    default:
      return [unsupportedValue(`${PATH}.strategy`, strategy, ['None', 'Webhook'])]
  }
}

function webhookErrors(webhook: JsonObject): readonly FieldError[] {
  const versions = textsOf(webhook['conversionReviewVersions'])
  const client = objectOf(webhook['clientConfig'])
  const url = textOf(client['url'])
  const errors: FieldError[] = []
  if (!isJsonObject(webhook['clientConfig'])) {
    const detail = 'required when strategy is set to Webhook'
    errors.push(requiredValue(`${WEBHOOK}.clientConfig`, detail))
  } else if ((url === '') !== isJsonObject(client['service'])) {
    const detail = 'exactly one of url or service is required'
    errors.push(requiredValue(`${WEBHOOK}.clientConfig`, detail))
  } else if (url === '') {
    const detail = 'this server has no services: use url'
    errors.push(forbiddenValue(`${WEBHOOK}.clientConfig.service`, detail))
  } else errors.push(...urlErrors(url))
  if (versions.length === 0) errors.push(requiredValue(REVIEW_VERSIONS))
  else if (!versions.includes('v1')) {
    errors.push(invalidValue(REVIEW_VERSIONS, versions, 'must include at least one of v1'))
  }
  return errors
}

function urlErrors(url: string): readonly FieldError[] {
  const field = `${WEBHOOK}.clientConfig.url`
  if (!URL.canParse(url)) return [invalidValue(field, url, 'url must be a valid URL')]
  const { protocol, username, hash, search } = new URL(url)
  const problems = [
    protocol !== 'https:' && protocol !== 'http:' && "'https' is the only allowed URL scheme",
    username !== '' && 'user information is not permitted in the URL',
    hash !== '' && 'fragments are not permitted in the URL',
    search !== '' && 'query parameters are not permitted in the URL',
  ]
  return problems
    .filter((problem) => typeof problem === 'string')
    .map((problem) => invalidValue(field, url, problem))
}
