import type { ResourceType, Target } from 'flotilla/planes'
import { SNAPSHOT_TYPE } from '../types/snapshot-type.ts'

/** The sandbox of a request to one of its subresources, in the version that endpoints know. */
export function sandboxTarget(target: Target): Target {
  return { ...target, version: target.type.storageVersion, subresource: '' }
}

/** Another object of the sandbox's namespace. */
export function siblingTarget(target: Target, type: ResourceType, name: string): Target {
  return { ...target, type, name, version: type.storageVersion, subresource: '' }
}

/** A snapshot of the sandbox's namespace; all of them if the name is empty. */
export function snapshotTarget(target: Target, name: string): Target {
  return siblingTarget(target, SNAPSHOT_TYPE, name)
}
