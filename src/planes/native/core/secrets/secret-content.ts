import { isJsonObject, type JsonValue } from '../../../../lib/json/json.ts'
import { invalidValue, requiredValue } from '../../../errors/field-errors.ts'
import type { ApiObject } from '../../../model/api-object.ts'
import type { FieldError } from '../../../model/field-error.ts'
import { parseJsonText } from '../../../../lib/json/json-text.ts'

const ACCOUNT_NAME = 'kubernetes.io/service-account.name'

function dataOf({ data }: ApiObject): Readonly<Record<string, JsonValue>> {
  return isJsonObject(data) ? data : {}
}

function missingKeys(secret: ApiObject, keys: readonly string[]): readonly FieldError[] {
  const data = dataOf(secret)
  return keys.filter((key) => !Object.hasOwn(data, key)).map((key) => requiredValue(`data[${key}]`))
}

function jsonErrors(secret: ApiObject, key: string): readonly FieldError[] {
  const missing = missingKeys(secret, [key])
  if (missing.length > 0) return missing
  const encoded = dataOf(secret)[key]
  const content = Buffer.from(typeof encoded === 'string' ? encoded : '', 'base64').toString()
  return isJsonText(content)
    ? []
    : [invalidValue(`data[${key}]`, '<secret contents redacted>', 'must be a JSON object')]
}

function isJsonText(content: string): boolean {
  try {
    const value = parseJsonText(content)
    return value === null || isJsonObject(value)
  } catch {
    return false
  }
}

const RULES: Readonly<Record<string, (secret: ApiObject) => readonly FieldError[]>> = {
  'kubernetes.io/service-account-token': ({ metadata }) =>
    (metadata.annotations?.[ACCOUNT_NAME] ?? '') === ''
      ? [requiredValue(`metadata.annotations[${ACCOUNT_NAME}]`)]
      : [],
  'kubernetes.io/dockercfg': (secret) => jsonErrors(secret, '.dockercfg'),
  'kubernetes.io/dockerconfigjson': (secret) => jsonErrors(secret, '.dockerconfigjson'),
  'kubernetes.io/basic-auth': (secret) => {
    const missing = missingKeys(secret, ['username', 'password'])
    return missing.length === 2 ? missing : []
  },
  'kubernetes.io/ssh-auth': (secret) =>
    (dataOf(secret)['ssh-privatekey'] ?? '') === '' ? [requiredValue('data[ssh-privatekey]')] : [],
  'kubernetes.io/tls': (secret) => missingKeys(secret, ['tls.crt', 'tls.key']),
}

/** The violations of the content that the type of a secret requires. */
export function secretContentErrors(secret: ApiObject): readonly FieldError[] {
  const { type } = secret
  if (typeof type !== 'string' || !Object.hasOwn(RULES, type)) return []
  return RULES[type]?.(secret) ?? []
}
