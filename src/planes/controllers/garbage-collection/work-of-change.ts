import type { ObjectKey } from '../../../store/objects/model/stored-object.ts'
import type { FleetChange } from '../client/fleet-client.ts'
import {
  FOREGROUND_FINALIZER,
  hasFinalizer,
  isTerminating,
  ORPHAN_FINALIZER,
  ownersOf,
} from './owner-references.ts'

/** A unit of the garbage collector's work. */
export type Work =
  /** Collects the object if its owners are gone. */
  | { readonly type: 'object'; readonly key: ObjectKey }
  /** Continues the deletion of an owner that waits for its dependents. */
  | { readonly type: 'owner'; readonly key: ObjectKey }
  /** Collects the objects whose owner was deleted. */
  | { readonly type: 'dependents'; readonly plane: string; readonly ownerUid: string }
  /** Collects the objects of a plane that have owners: it may serve the kinds of more of them. */
  | { readonly type: 'plane'; readonly plane: string }

/** Identifies work in the queue. */
export function idOfWork(work: Work): string {
  switch (work.type) {
    case 'object':
    case 'owner': {
      const { plane, resource, namespace, name } = work.key
      return `${work.type}/${plane}/${resource}/${namespace}/${name}`
    }
    case 'dependents':
      return `dependents/${work.plane}/${work.ownerUid}`
    case 'plane':
      return `plane/${work.plane}`
  }
}

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io'
/** Their owners are ignored: they expire. */
const EVENTS: ReadonlySet<string> = new Set(['events', 'events.events.k8s.io'])

export function isEvent({ resource }: Pick<ObjectKey, 'resource'>): boolean {
  return EVENTS.has(resource)
}

/** The work that a change of an object causes. Parses the object only if it has owners or ends. */
export function workOfChange(change: FleetChange): readonly Work[] {
  const { plane, resource, namespace, name, uid, type, text } = change
  if (isEvent(change)) return []
  const key = { plane, resource, namespace, name }
  const work: Work[] = []
  if (resource === DEFINITIONS && type !== 'DELETED') work.push({ type: 'plane', plane })
  if (type === 'DELETED') {
    work.push({ type: 'dependents', plane, ownerUid: uid })
    return work
  }
  if (text.includes('"deletionTimestamp"') && waitsForDependents(change)) {
    work.push({ type: 'owner', key })
  }
  if (text.includes('"ownerReferences"') && hasOpenOwners(change)) {
    work.push({ type: 'object', key })
  }
  return work
}

function waitsForDependents(change: FleetChange): boolean {
  const object = change.object()
  const finalizers = [FOREGROUND_FINALIZER, ORPHAN_FINALIZER]
  return isTerminating(object) && finalizers.some((each) => hasFinalizer(object, each))
}

function hasOpenOwners(change: FleetChange): boolean {
  const object = change.object()
  return !isTerminating(object) && ownersOf(object).length > 0
}
