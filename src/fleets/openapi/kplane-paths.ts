import type { JsonObject } from '../../lib/json/json.ts'
import { FLEET_TYPE } from '../types/fleet-type.ts'
import { KPLANE_API_VERSION } from '../types/kplane-group.ts'
import { SCENARIO_TYPE } from '../types/scenario-type.ts'

const ROOT = `/apis/${KPLANE_API_VERSION}`
const WRITE = ['dryRun', 'fieldManager', 'fieldValidation'] as const
const LIST = [
  'labelSelector',
  'fieldSelector',
  'limit',
  'continue',
  'resourceVersion',
  'watch',
  'allowWatchBookmarks',
  'timeoutSeconds',
] as const

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly tag: string
  readonly parameters?: readonly string[]
  /** Name of the schema of the body. */
  readonly body?: string
  readonly patchTypes?: readonly string[]
  readonly responses: Readonly<Record<string, string>>
}

function schemaRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` }
}

function jsonOf(types: readonly string[], schema: JsonObject): JsonObject {
  return Object.fromEntries(types.map((type) => [type, { schema }]))
}

const JSON_TYPE = ['application/json']
const PATCH_TYPES = [
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/apply-patch+yaml',
]

function operation(described: Described): JsonObject {
  const { operationId, summary, tag, parameters = [], body, patchTypes, responses } = described
  const bodySchema = patchTypes ? {} : schemaRef(body ?? '')
  const sent = Object.entries(responses).map(([code, name]) => [
    code,
    { description: summary, content: jsonOf(JSON_TYPE, schemaRef(name)) },
  ])
  return {
    operationId,
    summary,
    tags: [tag],
    ...(parameters.length > 0 && {
      parameters: parameters.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    }),
    ...((body !== undefined || patchTypes) && {
      requestBody: { required: true, content: jsonOf(patchTypes ?? JSON_TYPE, bodySchema) },
    }),
    responses: {
      ...Object.fromEntries(sent),
      default: { $ref: '#/components/responses/Status' },
    },
  }
}

const NAMED = [{ $ref: '#/components/parameters/name' }]

/** The paths of a kind: its collection and its objects. */
function kindPaths(
  { plural, kind, listKind }: { plural: string; kind: string; listKind: string },
  { tag, onDelete }: { tag: string; onDelete: readonly string[] },
): JsonObject {
  const named = kind.toLowerCase()
  return {
    [`${ROOT}/${plural}`]: {
      get: operation({
        operationId: `list${kind}s`,
        summary: `List or watch ${plural}`,
        tag,
        parameters: LIST,
        responses: { 200: listKind },
      }),
      post: operation({
        operationId: `create${kind}`,
        summary: `Create a ${named}`,
        tag,
        parameters: WRITE,
        body: kind,
        responses: { 201: kind },
      }),
    },
    [`${ROOT}/${plural}/{name}`]: {
      parameters: NAMED,
      get: operation({
        operationId: `get${kind}`,
        summary: `Get a ${named}`,
        tag,
        parameters: ['resourceVersion'],
        responses: { 200: kind },
      }),
      put: operation({
        operationId: `update${kind}`,
        summary: `Replace a ${named}`,
        tag,
        parameters: WRITE,
        body: kind,
        responses: { 200: kind },
      }),
      patch: operation({
        operationId: `patch${kind}`,
        summary: `Change parts of a ${named}, or apply it`,
        tag,
        parameters: [...WRITE, 'force'],
        patchTypes: PATCH_TYPES,
        responses: { 200: kind, 201: kind },
      }),
      delete: operation({
        operationId: `delete${kind}`,
        summary: `Delete a ${named}`,
        tag,
        parameters: onDelete,
        responses: { 200: tag === 'fleet' ? `${kind}Deletion` : 'Status' },
      }),
    },
  }
}

function statusPaths(): JsonObject {
  const { kind } = FLEET_TYPE
  const change = { tag: 'fleet', parameters: WRITE, responses: { 200: kind } }
  return {
    parameters: NAMED,
    get: operation({
      operationId: 'getFleetStatus',
      summary: 'Get a fleet with its status',
      tag: 'fleet',
      responses: { 200: kind },
    }),
    put: operation({
      operationId: 'updateFleetStatus',
      summary: 'Replace the status of a fleet',
      body: kind,
      ...change,
    }),
    patch: operation({
      operationId: 'patchFleetStatus',
      summary: 'Change parts of the status of a fleet',
      patchTypes: PATCH_TYPES,
      ...change,
    }),
  }
}

function scalePaths(): JsonObject {
  const change = {
    tag: 'fleet',
    parameters: ['dryRun', 'fieldManager'],
    responses: { 200: 'Scale' },
  }
  return {
    parameters: NAMED,
    get: operation({
      operationId: 'getFleetScale',
      summary: 'Get the number of members of a fleet',
      tag: 'fleet',
      responses: { 200: 'Scale' },
    }),
    put: operation({
      operationId: 'updateFleetScale',
      summary: 'Set the number of members of a fleet',
      body: 'Scale',
      ...change,
    }),
    patch: operation({
      operationId: 'patchFleetScale',
      summary: 'Patch the number of members of a fleet',
      patchTypes: PATCH_TYPES.slice(0, 2),
      ...change,
    }),
  }
}

function leasePaths(below: (path: string) => string): JsonObject {
  const post = (described: Omit<Described, 'tag'>) => ({
    parameters: NAMED,
    post: operation({ tag: 'claim', ...described }),
  })
  return {
    [below('claim')]: post({
      operationId: 'claimFleetMember',
      summary: 'Claim a ready and unclaimed member',
      body: 'FleetClaimRequest',
      responses: { 200: 'FleetClaim', 201: 'FleetClaim' },
    }),
    [below('renew')]: post({
      operationId: 'renewFleetClaim',
      summary: 'Extend the lease of a claim',
      body: 'FleetRenewal',
      responses: { 200: 'FleetClaim' },
    }),
    [below('release')]: post({
      operationId: 'releaseFleetMember',
      summary: 'End a claim',
      body: 'FleetReleaseRequest',
      responses: { 200: 'FleetRelease' },
    }),
    [below('recycle')]: post({
      operationId: 'recycleFleetMembers',
      summary: 'Ask for the reset of unclaimed members',
      body: 'FleetRecycleRequest',
      responses: { 200: 'FleetRecycling' },
    }),
    [below('members')]: {
      parameters: NAMED,
      get: operation({
        operationId: 'listFleetMembers',
        summary: 'List or watch the members of a fleet',
        tag: 'fleet',
        parameters: ['phase', 'limit', 'continue', ...LIST.slice(4)],
        responses: { 200: 'FleetMemberList' },
      }),
    },
  }
}

/** The paths of fleets and scenarios. */
export function kplanePaths(): JsonObject {
  const below = (path: string): string => `${ROOT}/${FLEET_TYPE.plural}/{name}/${path}`
  return {
    ...kindPaths(FLEET_TYPE, { tag: 'fleet', onDelete: ['propagationPolicy', 'dryRun'] }),
    [below('status')]: statusPaths(),
    [below('scale')]: scalePaths(),
    ...leasePaths(below),
    ...kindPaths(SCENARIO_TYPE, { tag: 'scenario', onDelete: ['dryRun'] }),
  }
}
