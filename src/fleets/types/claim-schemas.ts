import type { Schema } from '../../planes/model/schema.ts'
import {
  atomicList,
  choice,
  definition,
  flag,
  longInteger,
  TEXT,
  text,
  withDefault,
} from '../../planes/native/schemas/field-schemas.ts'
import { DEFINITIONS } from './kplane-group.ts'
import { CLAIM_PROPERTIES, MEMBER_PROPERTIES, MEMBER_SCHEMA } from './member-schemas.ts'

const TYPE_FIELDS = {
  apiVersion: text('Group and version of this representation of the object.'),
  kind: text('Kind of the object, in CamelCase.'),
}

const SECONDS = {
  ...longInteger('Seconds until the lease ends.'),
  minimum: 1,
} as const

/** Each requirement is a condition of the statement that picks a member. */
const MAX_SELECTOR_LENGTH = 4096

/** The body of a claim. */
export const CLAIM_REQUEST_SCHEMA: Schema = definition(`${DEFINITIONS}.FleetClaimRequest`, {
  description: 'Asks for one ready and unclaimed member of a fleet.',
  properties: {
    ...TYPE_FIELDS,
    holder: { ...text('Name of the holder, for people.'), minLength: 1, maxLength: 253 },
    ttlSeconds: {
      ...SECONDS,
      description: 'Seconds until the lease ends; without it, it has no end.',
    },
    labelSelector: {
      ...text('Selects members by the labels of their clusters.'),
      maxLength: MAX_SELECTOR_LENGTH,
    },
    clusterID: text('Name of the only member that will do.'),
    createOnEmpty: flag('Whether to create one more member if none can be claimed.'),
  },
  required: ['holder'],
})

/** A claimed member. */
export const CLAIM_SCHEMA: Schema = definition(`${DEFINITIONS}.FleetClaim`, {
  description: 'A claimed member of a fleet.',
  properties: {
    ...TYPE_FIELDS,
    fleet: text('Name of the fleet.'),
    clusterID: text('Name of the cluster.'),
    uid: text('ID of the cluster.'),
    phase: MEMBER_PROPERTIES['phase'] ?? text('Phase of the member.'),
    kept: flag(
      'Whether the holder before has released the member with Keep, so that its content is still there. Only in the response to a claim.',
    ),
    ...CLAIM_PROPERTIES,
  },
  required: [
    'apiVersion',
    'kind',
    'fleet',
    'clusterID',
    'uid',
    'phase',
    'holder',
    'claimID',
    'claimedTime',
  ],
})

/** The body of a renewal. */
export const RENEWAL_SCHEMA: Schema = definition(`${DEFINITIONS}.FleetRenewal`, {
  description: 'Extends the lease of a claim.',
  properties: {
    ...TYPE_FIELDS,
    clusterID: text('Name of the cluster.'),
    claimID: text('ID of the claim.'),
    ttlSeconds: { ...SECONDS, description: 'Seconds until the lease ends. By default, as before.' },
  },
  required: ['clusterID', 'claimID'],
})

const THEN = choice(
  ['Recycle', 'Delete', 'Keep'],
  'Recycle returns the member to its template, Delete replaces it, and Keep leaves it as it is.',
)

/** The body of a release. */
export const RELEASE_REQUEST_SCHEMA: Schema = definition(`${DEFINITIONS}.FleetReleaseRequest`, {
  description: 'Ends a claim.',
  properties: {
    ...TYPE_FIELDS,
    clusterID: text('Name of the cluster.'),
    claimID: text('ID of the claim.'),
    // oxlint-disable-next-line unicorn/no-thenable -- a schema is never awaited
    then: withDefault(THEN, 'Recycle'),
  },
  required: ['clusterID', 'claimID'],
})

/** The response to a release. */
export const RELEASE_SCHEMA: Schema = definition(`${DEFINITIONS}.FleetRelease`, {
  description: 'The end of a claim.',
  properties: {
    ...TYPE_FIELDS,
    clusterID: text('Name of the cluster.'),
    // oxlint-disable-next-line unicorn/no-thenable -- a schema is never awaited
    then: THEN,
  },
  required: ['apiVersion', 'kind', 'clusterID', 'then'],
})

/** The body of a request for resets. */
export const RECYCLE_REQUEST_SCHEMA: Schema = definition(`${DEFINITIONS}.FleetRecycleRequest`, {
  description: 'Asks for the reset of unclaimed members to the template.',
  properties: {
    ...TYPE_FIELDS,
    clusterID: text('Name of the cluster; without it, all members that need a reset.'),
  },
})

/** The response to a request for resets. */
export const RECYCLING_SCHEMA: Schema = definition(`${DEFINITIONS}.FleetRecycling`, {
  description: 'The members that will be reset.',
  properties: {
    ...TYPE_FIELDS,
    clusterIDs: atomicList(TEXT, 'Names of the clusters.'),
  },
  required: ['apiVersion', 'kind', 'clusterIDs'],
})

/** A page of members. */
export const MEMBER_LIST_SCHEMA: Schema = definition(`${DEFINITIONS}.FleetMemberList`, {
  description: 'A page of the members of a fleet, in desired order.',
  properties: {
    ...TYPE_FIELDS,
    metadata: definition(`${DEFINITIONS}.FleetMemberListMeta`, {
      description: 'Metadata of a page of members.',
      properties: {
        resourceVersion: text('Version of the list. Watches start at it.'),
        continue: text('Token for the next page; absent on the last page.'),
        remainingItemCount: longInteger('Number of members after this page.'),
      },
      required: ['resourceVersion'],
    }),
    items: atomicList(MEMBER_SCHEMA, 'The members.'),
  },
  required: ['apiVersion', 'kind', 'metadata', 'items'],
})
