import { backendDigest, type BackendTarget } from '../../model/backends/backend.ts'
import type { SweptSnapshot } from './read-snapshots.ts'

/** A store that a control plane uses, with the parameters to list it. */
export interface SweptStore {
  /** The plane of the Secret with the credentials. */
  readonly plane: string
  readonly target: BackendTarget
  /** A class retains the data of deleted snapshots in this store. */
  readonly retains: boolean
  /** The snapshots that record this store. */
  readonly snapshots: readonly SweptSnapshot[]
}

/** A use of a store by a provider, a claim or a snapshot. */
export interface StoreUse {
  readonly plane: string
  readonly target: BackendTarget
  readonly snapshot: SweptSnapshot | null
}

/** The distinct stores of all uses. */
export function sweptStores(uses: readonly StoreUse[]): readonly SweptStore[] {
  const stores = new Map<string, SweptStore & { readonly snapshots: SweptSnapshot[] }>()
  for (const { plane, target, snapshot } of uses) {
    const key = keyOf(plane, target)
    const before = stores.get(key)
    const snapshots = before?.snapshots ?? []
    if (snapshot) snapshots.push(snapshot)
    const retains = target.reclaimPolicy === 'Retain' || before?.retains === true
    stores.set(key, { plane, target, retains, snapshots })
  }
  return [...stores.values()]
}

/** Stores with the same parameters are one store, unless they have the credentials of a plane. */
function keyOf(plane: string, target: BackendTarget): string {
  return `${target.credentialsRef === null ? '' : plane} ${backendDigest('A', target)}`
}
