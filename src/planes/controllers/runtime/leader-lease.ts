import type { ApiObject } from '../../model/api-object.ts'
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'

/** The lease that candidates compete for. */
export interface LeaseName {
  readonly namespace: string
  readonly name: string
}

/** The fields of a lease that decide who leads. */
export interface LeaseRecord {
  /** Empty if the last leader released the lease. */
  readonly holder: string
  readonly transitions: number
  readonly durationMs: number
  /** Changes with each renewal. */
  readonly version: string
}

/** Reads a lease; absent or malformed fields count as those of a released lease. */
export function recordOf(lease: ApiObject): LeaseRecord {
  const spec = specOf(lease)
  const { holderIdentity, leaseTransitions, leaseDurationSeconds } = spec
  return {
    holder: typeof holderIdentity === 'string' ? holderIdentity : '',
    transitions: typeof leaseTransitions === 'number' ? leaseTransitions : 0,
    durationMs: typeof leaseDurationSeconds === 'number' ? leaseDurationSeconds * 1000 : 0,
    version: lease.metadata.resourceVersion ?? '',
  }
}

/** The fields of a lease that its holder writes. */
export interface LeaseTerm {
  readonly identity: string
  readonly durationMs: number
  readonly now: Date
}

/** A lease for its first holder. */
export function newLease({ namespace, name }: LeaseName, term: LeaseTerm): ApiObject {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { namespace, name },
    spec: { ...held(term), acquireTime: microTime(term.now), leaseTransitions: 0 },
  }
}

/** The lease of the same term, after its holder has renewed it. */
export function renewed(lease: ApiObject, term: LeaseTerm): ApiObject {
  return { ...lease, spec: { ...specOf(lease), ...held(term) } }
}

/** The lease after a candidate has claimed it. */
export function claimed(lease: ApiObject, term: LeaseTerm): ApiObject {
  const { holder, transitions } = recordOf(lease)
  const next = renewed(lease, term)
  if (holder === term.identity) return next
  const acquired = { acquireTime: microTime(term.now), leaseTransitions: transitions + 1 }
  return { ...next, spec: { ...specOf(next), ...acquired } }
}

/** The lease without a holder: other candidates need not wait until it ends. */
export function released(lease: ApiObject, now: Date): ApiObject {
  const time = { renewTime: microTime(now), leaseDurationSeconds: 1 }
  return { ...lease, spec: { ...specOf(lease), ...time, holderIdentity: '' } }
}

function held({ identity, durationMs, now }: LeaseTerm): JsonObject {
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.max(1, Math.round(durationMs / 1000)),
    renewTime: microTime(now),
  }
}

function specOf(lease: ApiObject): JsonObject {
  const spec = lease['spec']
  return isJsonObject(spec) ? spec : {}
}

/** RFC 3339 with microseconds, as leases store times. */
function microTime(time: Date): string {
  return time.toISOString().replace(/(\.\d{3})Z$/, '$1000Z')
}
