import type { Schema } from '../../planes/model/schema.ts'
import {
  atomicList,
  choice,
  definition,
  flag,
  integer,
  longInteger,
  TEXT,
  text,
  withDefault,
} from '../../planes/native/schemas/field-schemas.ts'
import { DEFINITIONS } from './kplane-group.ts'
import { TEMPLATE_SCHEMA } from './template-schema.ts'

const COUNT = { minimum: 0 } as const
const MAX_ADAPTERS = 100

/** The policies for members that leave a fleet. */
const REMOVAL_POLICIES = ['Orphan', 'Delete'] as const
const UPDATE_STRATEGIES = ['OnReplenish', 'RollingUpdate', 'Recreate'] as const

const UPDATE_STRATEGY: Schema = definition(`${DEFINITIONS}.FleetUpdateStrategy`, {
  description: 'How members follow a change of the template.',
  properties: {
    type: withDefault(
      choice(
        UPDATE_STRATEGIES,
        'OnReplenish changes new members only. RollingUpdate and Recreate replace unclaimed members, step by step or all together.',
      ),
      'OnReplenish',
    ),
    rollingUpdate: definition(`${DEFINITIONS}.FleetRollingUpdate`, {
      description: 'Options of RollingUpdate.',
      properties: {
        maxUnavailable: {
          description:
            'The most members that may be unavailable during an update: a number or a percentage of replicas. The default is 25%.',
          'x-kubernetes-int-or-string': true,
        },
      },
    }),
  },
})

/** The desired state of a fleet. The first four fields are those of kplane. */
export const FLEET_SPEC_SCHEMA: Schema = definition(`${DEFINITIONS}.FleetSpec`, {
  description: 'The desired members of a fleet.',
  properties: {
    replicas: { ...integer('Desired number of members.'), ...COUNT },
    namePrefix: text(
      'Prefix of the names of members, which a number of four digits or more follows, such as rl-0000. The default is the name of the fleet and a hyphen. Ignored if names has items.',
    ),
    names: atomicList(TEXT, 'Names of the members, in order. Its length must equal replicas.'),
    ttlSeconds: {
      ...longInteger('Seconds after which the fleet is deleted; without a value it stays.'),
      ...COUNT,
    },
    ttlFrom: withDefault(
      choice(
        ['Created', 'Ready', 'Claimed'],
        'Start of ttlSeconds: the creation of the fleet, the first time that it was ready, or the first claim.',
      ),
      'Created',
    ),
    deletionPolicy: withDefault(
      choice(
        REMOVAL_POLICIES,
        'Whether members stay or are deleted when the fleet is deleted. The propagationPolicy of a request has precedence.',
      ),
      'Orphan',
    ),
    scaleDownPolicy: withDefault(
      choice(
        REMOVAL_POLICIES,
        'Whether surplus members are released or deleted. Members with the annotation kplane.dev/remove-first are removed first, then those with the highest number. Claimed members stay.',
      ),
      'Orphan',
    ),
    template: TEMPLATE_SCHEMA,
    updateStrategy: withDefault(UPDATE_STRATEGY, {}),
    readiness: withDefault(
      choice(
        ['Plane', 'Conditions'],
        'When a member is ready: when its plane answers, or when the condition Ready of its cluster is True for the current generation.',
      ),
      'Plane',
    ),
    requiredAdapters: {
      ...atomicList(
        TEXT,
        'Adapters that must report on members and their node pools before they are ready, and finalize them before they are removed. Without a value, readiness Plane requires none, and readiness Conditions those of the server. Fleets from before this field require those of the server.',
      ),
      maxItems: MAX_ADAPTERS,
    },
    minReady: {
      ...integer(
        'Members to keep ready and unclaimed, in addition to the claimed ones. Excludes names.',
      ),
      ...COUNT,
    },
    paused: flag('Whether only the status is updated.'),
  },
  required: ['replicas'],
})
