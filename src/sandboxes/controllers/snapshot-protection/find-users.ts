import type { PlaneClient } from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { classNameOf, snapshotClaimOf } from '../../model/backends/snapshot-claim.ts'
import { CLAIMS, SANDBOXES, SNAPSHOTS } from '../snapshot-claims/snapshot-resources.ts'
import { type BackendReferences, sandboxReferences, snapshotReferences } from './references.ts'

/** A kind whose objects stay while snapshots or sandboxes need them. */
export type ProtectedKind = 'provider' | 'snapshotClass' | 'claim'

/** The sandboxes and snapshots that need an object, such as `Sandbox team/agent`. */
export async function findUsers(
  client: PlaneClient,
  kind: ProtectedKind,
  object: ApiObject,
): Promise<readonly string[]> {
  const { namespace = '', name = '' } = object.metadata
  const needs = (references: BackendReferences): boolean => references[kind] === name
  const snapshots = await findObjects(client.pages(SNAPSHOTS, { namespace }), (each) =>
    needs(snapshotReferences(each)),
  )
  const sandboxNeeds = kind === 'snapshotClass' ? await needsClass(client, name) : needs
  // A deleted sandbox is neither suspended nor resumed again, and may wait for its own claim.
  const sandboxes = await findObjects(
    client.pages(SANDBOXES, { namespace }),
    (each) =>
      each.metadata.deletionTimestamp === undefined &&
      sandboxNeeds(sandboxReferences(each), each.metadata.namespace ?? ''),
  )
  return [...sandboxes, ...snapshots]
}

type NeedsObject = (references: BackendReferences, namespace: string) => boolean

/** Sandboxes need the class of their claim. A claim without a sandbox needs nothing. */
async function needsClass(client: PlaneClient, name: string): Promise<NeedsObject> {
  const claims = new Set<string>()
  for await (const page of client.pages(CLAIMS)) {
    for (const claim of page.items) {
      if (classNameOf(snapshotClaimOf(claim)) === name) claims.add(keyOf(claim))
    }
  }
  return ({ claim }, namespace) => claim !== '' && claims.has(`${namespace}/${claim}`)
}

async function findObjects(
  pages: ReturnType<PlaneClient['pages']>,
  matches: (object: ApiObject) => boolean,
): Promise<readonly string[]> {
  const found: string[] = []
  for await (const page of pages) {
    for (const object of page.items) {
      if (matches(object)) found.push(`${object.kind} ${keyOf(object)}`)
    }
  }
  return found
}

function keyOf({ metadata }: ApiObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`
}
