import type { DeclaredSubresource, Verb } from '../../planes/model/resource-type.ts'
import type { Schema } from '../../planes/model/schema.ts'
import {
  CLAIM_REQUEST_SCHEMA,
  CLAIM_SCHEMA,
  MEMBER_LIST_SCHEMA,
  RECYCLE_REQUEST_SCHEMA,
  RECYCLING_SCHEMA,
  RELEASE_REQUEST_SCHEMA,
  RELEASE_SCHEMA,
  RENEWAL_SCHEMA,
} from './claim-schemas.ts'
import {
  COMPARISON_REQUEST_SCHEMA,
  COMPARISON_SCHEMA,
  CREATION_REQUEST_SCHEMA,
  DECLARATION_REQUEST_SCHEMA,
  EXPIRY_REQUEST_SCHEMA,
  MEMBER_RESULTS_SCHEMA,
  REMOVAL_REQUEST_SCHEMA,
  RESET_REQUEST_SCHEMA,
  RESULT_SCHEMA,
} from './controller-schemas.ts'
import { KPLANE_GROUP, KPLANE_VERSION } from './kplane-group.ts'

interface Bodies {
  readonly kind: string
  readonly body?: Schema
  readonly created?: Schema
  readonly schema: Schema
  readonly verbs?: readonly Verb[]
}

function subresource(name: string, { verbs = ['create'], ...bodies }: Bodies): DeclaredSubresource {
  return { name, group: KPLANE_GROUP, version: KPLANE_VERSION, verbs, ...bodies }
}

/** The subresources of fleets for clients, then those for the controller in another process. */
export const FLEET_SUBRESOURCES: readonly DeclaredSubresource[] = [
  subresource('claim', { kind: 'FleetClaim', body: CLAIM_REQUEST_SCHEMA, schema: CLAIM_SCHEMA }),
  subresource('renew', { kind: 'FleetClaim', body: RENEWAL_SCHEMA, schema: CLAIM_SCHEMA }),
  subresource('release', {
    kind: 'FleetRelease',
    body: RELEASE_REQUEST_SCHEMA,
    schema: RELEASE_SCHEMA,
  }),
  subresource('recycle', {
    kind: 'FleetRecycling',
    body: RECYCLE_REQUEST_SCHEMA,
    schema: RECYCLING_SCHEMA,
  }),
  subresource('members', {
    kind: 'FleetMemberList',
    body: CREATION_REQUEST_SCHEMA,
    created: MEMBER_RESULTS_SCHEMA,
    schema: MEMBER_LIST_SCHEMA,
    verbs: ['create', 'list', 'watch'],
  }),
  subresource('comparison', {
    kind: 'FleetComparison',
    body: COMPARISON_REQUEST_SCHEMA,
    schema: COMPARISON_SCHEMA,
  }),
  subresource('remove', {
    kind: 'FleetMemberResults',
    body: REMOVAL_REQUEST_SCHEMA,
    schema: MEMBER_RESULTS_SCHEMA,
  }),
  subresource('reset', {
    kind: 'FleetResult',
    body: RESET_REQUEST_SCHEMA,
    schema: RESULT_SCHEMA,
  }),
  subresource('declare', {
    kind: 'FleetResult',
    body: DECLARATION_REQUEST_SCHEMA,
    schema: RESULT_SCHEMA,
  }),
  subresource('expire', {
    kind: 'FleetResult',
    body: EXPIRY_REQUEST_SCHEMA,
    schema: RESULT_SCHEMA,
  }),
]
