import type { ObjectKey, StoredObject } from '../../../store/objects/model/stored-object.ts'
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import { badRequest, objectConflict, objectInvalid, objectNotFound } from '../../errors/failures.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { SubresourceHandler } from '../../model/native-resource.ts'
import type { ServiceAccountTokens } from './service-account-tokens.ts'
import type { TokenReference } from './token-claims.ts'
import { textsOf } from '../../../lib/json/json-fields.ts'

const TYPE = { group: 'authentication.k8s.io', plural: 'tokenrequests', kind: 'TokenRequest' }
const SECRETS = { group: '', plural: 'secrets' }
const DEFAULT_SECONDS = 3600
const MIN_SECONDS = 600
const LIMIT_SECONDS = 2 ** 32
const MAX_AUDIENCES = 100

interface Options {
  readonly tokens: ServiceAccountTokens
  readonly readObject: (key: ObjectKey) => Promise<StoredObject | null>
  /** The longest validity in seconds. Longer requests are shortened. */
  readonly maxTokenAge: number
}

/** Handles POST to the subresource `token` of a service account. */
export function createTokenRequestHandler({
  tokens,
  readObject,
  maxTokenAge,
}: Options): SubresourceHandler {
  return async ({ context: { plane, now }, object, body, dryRun }) => {
    const { name = '', namespace = '', uid = '' } = object.metadata
    const spec = isJsonObject(body['spec']) ? body['spec'] : {}
    requireSameObject(body, { name, namespace, uid })
    const seconds = secondsOf(spec)
    const audiences = textsOf(spec['audiences'])
    if (audiences.length > MAX_AUDIENCES) throw badRequest(`more than ${MAX_AUDIENCES} audiences`)
    const requested = audiences.length > 0 ? audiences : [tokens.issuerOf(plane)]
    const secret = await boundSecret(spec, (secretName) =>
      readObject({ plane, resource: 'secrets', namespace, name: secretName }),
    )
    const validity = Math.min(seconds, maxTokenAge)
    const claims = { plane, namespace, account: { name, uid }, secret }
    const token = dryRun ? '' : await tokens.issue(claims, requested, validity)
    return {
      apiVersion: `${TYPE.group}/v1`,
      kind: TYPE.kind,
      metadata: { name, namespace, uid, creationTimestamp: inSeconds(now) },
      spec: {
        audiences: requested,
        expirationSeconds: validity,
        boundObjectRef: spec['boundObjectRef'] ?? null,
      },
      status: {
        token,
        expirationTimestamp: inSeconds(new Date(now.getTime() + validity * 1000)),
      },
    }
  }
}

/** The metadata of the body must not contradict the service account of the path. */
function requireSameObject(
  { metadata }: ApiObject,
  account: { readonly name: string; readonly namespace: string; readonly uid: string },
): void {
  const given = isJsonObject(metadata) ? metadata : {}
  const errors = (['name', 'namespace'] as const).flatMap((field): FieldError[] => {
    const value = given[field]
    if (value === undefined || value === '' || value === account[field]) return []
    const message = `Invalid value: ${JSON.stringify(value)}: must match the service account ${field} if specified`
    return [{ field: `metadata.${field}`, reason: 'FieldValueInvalid', message }]
  })
  if (errors.length > 0) throw objectInvalid(TYPE, account.name, errors)
  const { uid } = given
  if (uid === undefined || uid === '' || uid === account.uid) return
  const detail = `the UID in the token request (${JSON.stringify(uid)}) does not match the UID of the service account (${account.uid})`
  throw objectConflict(TYPE, account.name, detail)
}

function secondsOf({ expirationSeconds: value = DEFAULT_SECONDS }: JsonObject): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw badRequest('spec.expirationSeconds must be an integer')
  }
  const limit =
    value < MIN_SECONDS
      ? 'less than 10 minutes'
      : value > LIMIT_SECONDS && 'larger than 2^32 seconds'
  if (limit === false) return value
  const message = `Invalid value: ${value}: may not specify a duration ${limit}`
  throw objectInvalid(TYPE, '', [
    { field: 'spec.expirationSeconds', reason: 'FieldValueInvalid', message },
  ])
}

/** The secret that the token is bound to; null if the request names none. */
async function boundSecret(
  { boundObjectRef: reference }: JsonObject,
  read: (name: string) => Promise<StoredObject | null>,
): Promise<TokenReference | null> {
  if (!isJsonObject(reference)) return null
  const { kind, apiVersion, name, uid } = reference
  if (kind !== 'Secret' || apiVersion !== 'v1' || typeof name !== 'string') {
    const type = `${JSON.stringify(apiVersion ?? '')}, Kind=${JSON.stringify(kind ?? '')}`
    throw badRequest(`cannot bind token to object of type ${type}`)
  }
  const found = await read(name)
  if (!found) throw objectNotFound(SECRETS, name)
  if (uid !== undefined && uid !== '' && uid !== found.uid) {
    const detail = `the UID in the bound object reference (${JSON.stringify(uid)}) does not match the UID in record. The object might have been deleted and then recreated`
    throw objectConflict(SECRETS, name, detail)
  }
  return { name, uid: found.uid }
}

function inSeconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`
}
