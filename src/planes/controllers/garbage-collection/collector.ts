import type { OwnerReference } from '../../model/api-object.ts'
import type { ObjectKey } from '../../../store/objects/model/stored-object.ts'
import type { FleetSelection } from '../../../store/objects/model/fleet-query.ts'
import type { FleetChange, FleetClient } from '../client/fleet-client.ts'
import { chunksOf } from '../../../lib/chunks-of.ts'
import { BoundedMap } from '../../../lib/bounded-map.ts'
import type { WorkQueue } from '../runtime/work-queue.ts'
import { collectObject } from './collect-object.ts'
import { finishOwner } from './finish-owner.ts'
import { ownersOf } from './owner-references.ts'
import type { LiveObject } from './plane-objects.ts'
import { reportForeignOwners } from './report-foreign-owners.ts'
import { type Work, workOfChange } from './work-of-change.ts'

const MAX_CHECKED_OBJECTS = 50_000
const MAX_WAITING_OWNERS = 10_000
const MAX_UNRESOLVED_PLANES = 10_000
/** Dependents of one owner that are collected at the same time. */
const BATCH = 16
/** An owner whose dependents have finalizers is checked again, in case a change was not seen. */
const RECHECK_MS = 15_000
/** Until then, this server serves the kinds of a changed definition. */
const DEFINITION_MS = 1000

interface Options {
  readonly fleet: FleetClient
  readonly queue: WorkQueue<Work>
  readonly onError: (error: unknown) => void
}

/**
 * Turns changes into work, and does it. Its memory of objects only saves reads: entries may be
 * absent at any time, and never decide that an owner is absent.
 */
export class Collector {
  readonly #options: Options
  /** The owners of objects that were checked, by uid: only changes of owners matter afterwards. */
  readonly #checked = new BoundedMap<readonly OwnerReference[]>(MAX_CHECKED_OBJECTS)
  /** The keys of owners that wait for their dependents, by uid. */
  readonly #waiting = new BoundedMap<ObjectKey>(MAX_WAITING_OWNERS)
  /** Planes with objects whose owners have unknown kinds. */
  readonly #unresolved = new BoundedMap<true>(MAX_UNRESOLVED_PLANES)

  constructor(options: Options) {
    this.#options = options
  }

  observe(change: FleetChange): void {
    const { queue } = this.#options
    const previous = this.#checked.get(change.uid)
    this.#resumeOwners(change, previous)
    const isUnchanged = previous !== undefined && hasOwners(change, previous)
    if (change.type === 'DELETED') this.#checked.delete(change.uid)
    for (const work of workOfChange(change)) {
      if (work.type === 'object' && isUnchanged) continue
      if (work.type !== 'plane') queue.add(work)
      else if (this.#unresolved.has(work.plane)) queue.addAfter(work, DEFINITION_MS)
    }
  }

  async run(work: Work): Promise<void> {
    const { fleet, queue } = this.#options
    switch (work.type) {
      case 'object':
        return this.#collect(work.key)
      case 'dependents':
        this.#waiting.delete(work.ownerUid)
        return this.#collectPages({ plane: work.plane, ownerUid: work.ownerUid })
      case 'plane':
        this.#unresolved.delete(work.plane)
        return this.#collectPages({ plane: work.plane, isOwned: true })
      case 'owner': {
        const collect = (keys: readonly ObjectKey[]): Promise<void> => this.#collectAll(keys)
        const result = await finishOwner({ fleet, collect }, work.key)
        if (result.status === 'done') return
        this.#waiting.set(result.uid, work.key)
        queue.addAfter(work, RECHECK_MS)
      }
    }
  }

  /** The end of a dependent, or of its reference, may be the event that an owner waits for. */
  #resumeOwners(change: FleetChange, previous: readonly OwnerReference[] | undefined): void {
    if (this.#waiting.size === 0) return
    if (previous === undefined && !change.text.includes('"ownerReferences"')) return
    for (const { uid } of previous ?? ownersOf(change.object())) {
      const key = this.#waiting.get(uid)
      if (key !== undefined) this.#options.queue.add({ type: 'owner', key })
    }
  }

  async #collect(key: ObjectKey): Promise<void> {
    const { fleet, onError } = this.#options
    const onAbsentOwners = (live: LiveObject, absent: readonly OwnerReference[]): Promise<void> =>
      reportForeignOwners(fleet, live, absent).catch(onError)
    const result = await collectObject({ fleet, onAbsentOwners }, key)
    if (result.outcome === 'kept') this.#checked.set(result.uid, result.owners)
    if (result.outcome === 'unresolved') this.#unresolved.set(key.plane, true)
  }

  /** An object that cannot be deleted does not delay the others. */
  async #collectAll(keys: readonly ObjectKey[]): Promise<void> {
    const collectOne = (key: ObjectKey): Promise<void> =>
      this.#collect(key).catch(() => this.#options.queue.add({ type: 'object', key }))
    for (const batch of chunksOf(keys, () => 1, BATCH)) await Promise.all(batch.map(collectOne))
  }

  async #collectPages(selection: FleetSelection): Promise<void> {
    for await (const page of this.#options.fleet.scan(selection)) await this.#collectAll(page)
  }
}

function hasOwners(change: FleetChange, owners: readonly OwnerReference[]): boolean {
  return JSON.stringify(ownersOf(change.object())) === JSON.stringify(owners)
}
