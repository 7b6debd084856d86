import type { Schema } from '../../planes/model/schema.ts'
import {
  atomicList,
  definition,
  flag,
  integer,
  keyedList,
  longInteger,
  time,
} from '../../planes/native/schemas/field-schemas.ts'
import { CONDITION } from '../../planes/native/schemas/condition.ts'
import { DEFINITIONS } from './kplane-group.ts'
import { MEMBER_SCHEMA } from './member-schemas.ts'

/** The observed state of a fleet, which its controller writes. */
export const FLEET_STATUS_SCHEMA: Schema = definition(`${DEFINITIONS}.FleetStatus`, {
  description: 'The observed members of a fleet.',
  properties: {
    observedGeneration: longInteger('Generation of the spec that the status describes.'),
    replicas: integer('Number of members.'),
    readyReplicas: integer('Number of ready members.'),
    availableReplicas: integer('Number of ready members without a claim.'),
    updatedReplicas: integer('Number of members made from the current template.'),
    claimedReplicas: integer('Number of claimed members.'),
    failedReplicas: integer('Number of members that cannot be created.'),
    members: atomicList(MEMBER_SCHEMA, 'The first 1000 members in desired order.'),
    membersTruncated: flag('Whether the fleet has more members: see fleets/{name}/members.'),
    readyTime: time('First time that all members were ready.'),
    firstClaimTime: time('Start of the first claim.'),
    conditions: keyedList(
      CONDITION,
      ['type'],
      'Ready, Progressing, ScalingDown, Degraded, Deleting and ResetRequired.',
    ),
  },
})
