import { Conflict, NotFound } from '../errors/status-errors.ts'
import type {
  Fleet as FleetObject,
  FleetMember,
  FleetRecycleRequest,
  FleetRecycling,
  FleetSpec,
} from '../generated/kplane.ts'
import { MERGE_PATCH } from '../http/patch-types.ts'
import type { CallOptions } from '../http/request.ts'
import type { Plane } from '../planes/plane.ts'
import { List } from '../resources/list.ts'
import type { WaitOptions } from '../resources/wait-for.ts'
import type { Claim } from './claim.ts'
import { claimMember, type ClaimOptions } from './claim-member.ts'
import type { Member } from './fleet-member.ts'
import type { DeleteFleetOptions, RecycleOptions } from './fleet-options.ts'
import type { FleetParts } from './fleet-parts.ts'
import { findFleet } from './find-fleet.ts'
import { fleetPath } from './fleet-path.ts'
import { type FleetState, fleetState } from './fleet-status.ts'
import { type MemberListOptions, readMembers } from './read-members.ts'
import { readyMembers } from './ready-members.ts'
import { waitUntilDeleted } from './wait-until-deleted.ts'
import { waitUntilReady } from './wait-until-ready.ts'

/** A fleet: a number of clusters, each with its plane. Its fields are those of the last response. */
export class Fleet implements AsyncIterable<Member> {
  readonly name: string
  /** Deletions are of this fleet only, never of another one that has its name later. */
  readonly uid: string | undefined
  readonly #parts: FleetParts
  #object: FleetObject

  constructor(parts: FleetParts, object: FleetObject) {
    this.name = object.metadata.name ?? ''
    this.uid = object.metadata.uid
    this.#parts = parts
    this.#object = object
  }

  /** The Fleet object, as the API returned it. */
  get object(): FleetObject {
    return this.#object
  }

  get spec(): FleetSpec {
    return this.#object.spec
  }

  /** The observed state; `refresh` and `waitUntilReady` update it. */
  get status(): FleetState {
    return fleetState(this.#object)
  }

  /** The first 1000 members in desired order; `allMembers` reads all of them. */
  get members(): readonly FleetMember[] {
    return this.status.members
  }

  /** Lists all members, page by page, in desired order. */
  allMembers(options: MemberListOptions = {}): List<FleetMember> {
    return new List(() => readMembers(this.#parts.transport, this.name, options))
  }

  /**
   * The planes of all existing members by ID, in desired order. Reads the members; `planes()` of the
   * Python client names all desired members without a request.
   */
  async planes(options: CallOptions = {}): Promise<readonly Plane[]> {
    const members = await this.allMembers(options).toArray()
    return members.flatMap(({ uid }) => (uid === undefined ? [] : [this.#parts.plane(uid)]))
  }

  /**
   * Yields each desired member when it becomes ready, and ends after all of them. Rejects with
   * FleetDegraded when all remaining members have failed.
   */
  [Symbol.asyncIterator](): AsyncGenerator<Member, void, undefined> {
    return this.ready()
  }

  /** Like iteration, with a signal that ends it. */
  ready(options: Pick<CallOptions, 'signal'> = {}): AsyncGenerator<Member, void, undefined> {
    return readyMembers(this.#parts, this.#object, options.signal)
  }

  /**
   * Waits until the controller has observed the current spec and enough members are ready. Rejects
   * with FleetTimeout, which has the missing members, or early with FleetDegraded.
   */
  async waitUntilReady(options: WaitOptions = {}): Promise<this> {
    this.#object = await waitUntilReady(this.#parts.transport, this.name, options)
    return this
  }

  /**
   * Waits until the fleet is removed. Rejects with WaitTimeout. If the deletion includes the members,
   * they are removed before the fleet.
   */
  async waitUntilDeleted(options: WaitOptions = {}): Promise<void> {
    await waitUntilDeleted(this.#parts.transport, this, options)
  }

  /** Sets the number of members. */
  async scale(replicas: number, options: CallOptions = {}): Promise<this> {
    await this.#parts.transport.request({
      method: 'PATCH',
      path: fleetPath(this.name, 'scale'),
      body: { spec: { replicas } },
      headers: { 'Content-Type': MERGE_PATCH },
      retry: 'always',
      ...options,
    })
    return await this.refresh(options)
  }

  /** Claims a ready and unclaimed member. Rejects with Conflict if there is none in time. */
  claim(options: ClaimOptions = {}): Promise<Claim> {
    return claimMember(this.#parts, this.name, options)
  }

  /** Claims a member, calls the function with it, and releases it, even after an exception. */
  async withClaim<R>(options: ClaimOptions, use: (claim: Claim) => R | Promise<R>): Promise<R> {
    const claim = await this.claim(options)
    let result: R
    try {
      result = await use(claim)
    } catch (error) {
      // The exception of the caller matters more than a failure of the release.
      await claim.release().catch(() => undefined)
      throw error
    }
    await claim.release()
    return result
  }

  /**
   * Asks for the reset of an unclaimed member to its template, or of all members that cannot be
   * claimed without it (`resetRequired`). Returns their names, without waiting for the reset.
   * Rejects with Conflict if the member is claimed.
   */
  async recycle({ clusterID, ...options }: RecycleOptions = {}): Promise<readonly string[]> {
    const path = fleetPath(this.name, 'recycle')
    const body: FleetRecycleRequest = { ...(clusterID !== undefined && { clusterID }) }
    const request = { method: 'POST', path, body, retry: 'always', ...options } as const
    return (await this.#parts.transport.request<FleetRecycling>(request)).body.clusterIDs
  }

  /** Reads the fleet again. */
  async refresh(options: CallOptions = {}): Promise<this> {
    const path = fleetPath(this.name)
    const request = { method: 'GET', path, retry: 'always', ...options } as const
    this.#object = (await this.#parts.transport.request<FleetObject>(request)).body
    return this
  }

  /**
   * Deletes the fleet. Its members stay unless `members` is true. Deleting twice is not an error,
   * and leaves a new fleet of the same name untouched.
   */
  async delete({ members = false, signal }: DeleteFleetOptions = {}): Promise<void> {
    const path = fleetPath(this.name)
    const query = { propagationPolicy: members ? 'Background' : 'Orphan' }
    const body = { preconditions: { uid: this.uid } }
    try {
      const request = { method: 'DELETE', path, query, body, signal, retry: 'always' } as const
      await this.#parts.transport.request(request)
    } catch (error) {
      if (error instanceof NotFound) return
      if (!(error instanceof Conflict) || (await this.#isCurrent(signal))) throw error
    }
  }

  /** Whether the name still belongs to this fleet. */
  async #isCurrent(signal: AbortSignal | undefined): Promise<boolean> {
    const found = await findFleet(this.#parts.transport, this.name, signal)
    return found !== null && (this.uid === undefined || found.metadata.uid === this.uid)
  }
}
