import { FlotillaError } from '../../../lib/errors.ts'
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import { badRequest } from '../../errors/failures.ts'
import type { NativeResource } from '../../model/native-resource.ts'
import {
  SELF_SUBJECT_REVIEW_TYPE,
  TOKEN_REVIEW_TYPE,
} from '../../native/reviews/authentication-types.ts'
import type { KubeAuthenticator } from '../identity/kube-authenticator.ts'
import { userInfoJson } from './review-attributes.ts'
import { textOf, textsOf } from '../../../lib/json/json-fields.ts'

/** The reviews of a token and of the caller. */
export function createIdentityReviews(
  authenticator: Pick<KubeAuthenticator, 'authenticateToken' | 'audienceOf'>,
): readonly NativeResource[] {
  return [
    {
      type: TOKEN_REVIEW_TYPE,
      review: async (object, { plane }) => {
        const spec = isJsonObject(object['spec']) ? object['spec'] : {}
        const token = textOf(spec['token'])
        if (token === '') throw badRequest('token is required for TokenReview in authentication')
        const { token: _token, ...rest } = spec
        const status = await tokenStatus(authenticator, plane, spec)
        return { ...object, spec: rest, status }
      },
    },
    {
      type: SELF_SUBJECT_REVIEW_TYPE,
      review: (object, { user }) =>
        Promise.resolve({ ...object, status: { userInfo: userInfoJson(user) } }),
    },
  ]
}

async function tokenStatus(
  { authenticateToken, audienceOf }: Pick<KubeAuthenticator, 'authenticateToken' | 'audienceOf'>,
  plane: string,
  spec: JsonObject,
): Promise<JsonObject> {
  const requested = textsOf(spec['audiences'])
  const audiences = requested.length > 0 ? requested : [audienceOf(plane)]
  try {
    const { user, audiences: found } = await authenticateToken(textOf(spec['token']), {
      plane,
      audiences,
    })
    return { authenticated: true, user: userInfoJson(user), audiences: found }
  } catch (error) {
    if (error instanceof FlotillaError && REJECTIONS.has(error.reason)) {
      return { authenticated: false, error: error.message }
    }
    throw error
  }
}

const REJECTIONS: ReadonlySet<string> = new Set([
  'unauthenticated',
  'invalid-token',
  'token-expired',
])
