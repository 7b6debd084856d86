import type { Schema } from '../../model/schema.ts'
import { nativeType } from '../native-type.ts'
import {
  API_VERSION,
  KIND,
  definition,
  flag,
  longInteger,
  mapOf,
  text,
  textList,
  time,
  withDefault,
} from '../schemas/field-schemas.ts'

const GROUP = 'authentication.k8s.io'
const DEFINITIONS = 'io.k8s.api.authentication.v1'
const AN_HOUR = 3600

const USER_INFO = definition(`${DEFINITIONS}.UserInfo`, {
  description: 'A user, as requests are authorized.',
  properties: {
    extra: mapOf(
      { type: 'array', items: { type: 'string' } },
      'Further attributes of the user, with several values each.',
    ),
    groups: textList('Groups of the user.'),
    uid: text('Unique identifier of the user.'),
    username: text('Name of the user.'),
  },
})

/** The type of questions about a token. */
export const TOKEN_REVIEW_TYPE = nativeType({
  group: GROUP,
  kind: 'TokenReview',
  plural: 'tokenreviews',
  definitions: DEFINITIONS,
  namespaced: false,
  verbs: ['create'],
  description: 'Asks which user a token authenticates.',
  properties: {
    spec: definition(`${DEFINITIONS}.TokenReviewSpec`, {
      description: 'The token.',
      properties: {
        audiences: textList('Audiences of which the token must name one.'),
        token: text('The token, without a prefix.'),
      },
    }),
    status: definition(`${DEFINITIONS}.TokenReviewStatus`, {
      description: 'The user of the token.',
      properties: {
        audiences: textList('Requested audiences that the token names.'),
        authenticated: flag('Whether the token is valid.'),
        error: text('Reason why the token could not be checked.'),
        user: USER_INFO,
      },
    }),
  },
  required: ['spec'],
  printerColumns: [],
})

/** The type of questions about the caller. */
export const SELF_SUBJECT_REVIEW_TYPE = nativeType({
  group: GROUP,
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  definitions: DEFINITIONS,
  namespaced: false,
  verbs: ['create'],
  description: 'Asks how the server sees the caller.',
  properties: {
    status: definition(`${DEFINITIONS}.SelfSubjectReviewStatus`, {
      description: 'The caller.',
      properties: { userInfo: USER_INFO },
    }),
  },
  printerColumns: [],
})

/** The schema of requests for a service account's token. */
export const TOKEN_REQUEST_SCHEMA: Schema = definition(`${DEFINITIONS}.TokenRequest`, {
  description: 'Requests a token of a service account.',
  properties: {
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: { type: 'object' },
    spec: definition(`${DEFINITIONS}.TokenRequestSpec`, {
      description: 'The desired token.',
      properties: {
        audiences: textList('Audiences of the token. The server is the default.'),
        boundObjectRef: definition(`${DEFINITIONS}.BoundObjectReference`, {
          description: 'An object whose deletion invalidates the token.',
          properties: {
            apiVersion: text('Group and version of the object.'),
            kind: text('Kind of the object.'),
            name: text('Name of the object.'),
            uid: text('UID of the object.'),
          },
        }),
        expirationSeconds: withDefault(
          longInteger('Seconds until the token expires. The server may choose others.'),
          AN_HOUR,
        ),
      },
      required: ['audiences'],
    }),
    status: definition(`${DEFINITIONS}.TokenRequestStatus`, {
      description: 'The token.',
      properties: {
        expirationTimestamp: time('Time when the token expires.'),
        token: text('The token.'),
      },
      required: ['token', 'expirationTimestamp'],
    }),
  },
  required: ['spec'],
})
