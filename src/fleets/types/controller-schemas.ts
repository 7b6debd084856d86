import type { Schema } from '../../planes/model/schema.ts'
import {
  atomicList,
  choice,
  definition,
  integer,
  longInteger,
  TEXT,
  text,
  textList,
} from '../../planes/native/schemas/field-schemas.ts'
import { DEFINITIONS } from './kplane-group.ts'
import { MEMBER_SCHEMA } from './member-schemas.ts'

/** The most members in one request of the controller. */
export const MAX_MEMBERS = 1000

const FLEET_VERSION = {
  uid: text('UID of the Fleet.'),
  generation: longInteger('Generation of the Fleet that the request is based on.'),
}
const VERSION_FIELDS = ['uid', 'generation'] as const

function limitedList(description: string): Schema {
  return { ...textList(description), maxItems: MAX_MEMBERS }
}

/** The bodies of requests that name nothing but a version of a Fleet. */
export const EXPIRY_REQUEST_SCHEMA: Schema = definition(`${DEFINITIONS}.FleetExpiryRequest`, {
  description: 'Marks the members whose claims have ended for a reset.',
  properties: FLEET_VERSION,
  required: VERSION_FIELDS,
})

/** The body of a comparison. */
export const COMPARISON_REQUEST_SCHEMA: Schema = definition(
  `${DEFINITIONS}.FleetComparisonRequest`,
  {
    description: 'Asks for the difference between a fleet and its members.',
    properties: { ...FLEET_VERSION, skip: limitedList('Names that are not listed as missing.') },
    required: VERSION_FIELDS,
  },
)

/** The body of a creation of members. */
export const CREATION_REQUEST_SCHEMA: Schema = definition(`${DEFINITIONS}.FleetCreationRequest`, {
  description: 'Creates or adopts members of a fleet.',
  properties: { ...FLEET_VERSION, names: limitedList('Names of the members.') },
  required: [...VERSION_FIELDS, 'names'],
})

/** The body of a removal. */
export const REMOVAL_REQUEST_SCHEMA: Schema = definition(`${DEFINITIONS}.FleetRemovalRequest`, {
  description: 'Removes members of a fleet.',
  properties: {
    ...FLEET_VERSION,
    members: limitedList('IDs of the clusters.'),
    policy: choice(['Delete', 'Orphan'], 'Whether the clusters are deleted or stay.'),
  },
  required: [...VERSION_FIELDS, 'members', 'policy'],
})

/** The body of a reset. */
export const RESET_REQUEST_SCHEMA: Schema = definition(`${DEFINITIONS}.FleetResetRequest`, {
  description: 'Returns members to their initial content.',
  properties: { ...FLEET_VERSION, members: limitedList('IDs of the clusters.') },
  required: [...VERSION_FIELDS, 'members'],
})

/** The body of a declaration. */
export const DECLARATION_REQUEST_SCHEMA: Schema = definition(
  `${DEFINITIONS}.FleetDeclarationRequest`,
  {
    description: 'Makes members require the adapters that the fleet declares.',
    properties: { ...FLEET_VERSION, members: limitedList('IDs of the clusters.') },
    required: [...VERSION_FIELDS, 'members'],
  },
)

/** The outcome for each member of a request. */
export const MEMBER_RESULTS_SCHEMA: Schema = definition(`${DEFINITIONS}.FleetMemberResults`, {
  description: 'The outcome for each member.',
  properties: {
    items: atomicList(
      {
        type: 'object',
        properties: {
          id: text('ID of the cluster.'),
          name: text('Name of the cluster.'),
          result: text('created, adopted, conflict or failed; removed, claimed or gone.'),
          message: text('Why it failed.'),
        },
        required: ['result'],
      },
      'The results, in the order of the request.',
    ),
  },
  required: ['items'],
})

/** The outcome of a request without results for each member. */
export const RESULT_SCHEMA: Schema = definition(`${DEFINITIONS}.FleetResult`, {
  description: 'The result of a request about the members of a fleet.',
  properties: { expired: integer('Number of claims whose members will be reset.') },
})

const MEMBER_NAME: Schema = {
  type: 'object',
  properties: {
    id: text('ID of the cluster.'),
    name: text('Name of the cluster.'),
    available: { type: 'boolean', description: 'Whether the member is ready and unclaimed.' },
  },
  required: ['id', 'name'],
}

/** The difference between a fleet and its members. */
export const COMPARISON_SCHEMA: Schema = definition(`${DEFINITIONS}.FleetComparison`, {
  description: 'The difference between a fleet and its members. Lists have at most 1000 items.',
  properties: {
    wanted: integer('Number of members that the fleet wants.'),
    counts: {
      type: 'object',
      description: 'Numbers of members.',
      additionalProperties: integer('A number of members.'),
    },
    missing: textList('Names of members to create or to adopt.'),
    surplus: atomicList(MEMBER_NAME, 'Members to remove.'),
    awaitedSurplus: integer('Number of surplus members that leave after their reset.'),
    outdated: atomicList(MEMBER_NAME, 'Members made from older content.'),
    recycling: textList('IDs of the members to reset.'),
    unclean: textList(
      'Names of members that cannot be claimed until a client asks for their reset.',
    ),
    undeclared: textList('IDs of members that declare other required adapters than the fleet.'),
    expired: integer('Number of claims whose lease has ended.'),
    nextExpiry: { ...text('When the next lease ends.'), nullable: true },
    firstClaim: { ...text('The earliest start of a claim.'), nullable: true },
    missingScenario: { ...text('A Scenario that does not exist.'), nullable: true },
    waitingFor: textList('Adapters that terminating clusters wait for.'),
    conflicts: atomicList(TEXT, 'Names that belong to other clusters.'),
    members: atomicList(MEMBER_SCHEMA, 'The first members in desired order.'),
  },
})
