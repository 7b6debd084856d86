import { type FleetClient, storageName } from 'flotilla/controllers'
import { mergeParameters } from '../../model/backends/merge-parameters.ts'
import { snapshotClaimOf } from '../../model/backends/snapshot-claim.ts'
import { type SnapshotClass, snapshotClassOf } from '../../model/backends/snapshot-class.ts'
import { snapshotProviderOf, targetOf } from '../../model/backends/snapshot-provider.ts'
import { CLAIMS, CLASSES, PROVIDERS } from '../snapshot-claims/snapshot-resources.ts'
import type { SweptSnapshot } from './read-snapshots.ts'
import type { StoreUse } from './swept-stores.ts'

/** The stores that providers, bound claims and snapshots of all planes name. */
export async function readStoreUses(
  fleet: FleetClient,
  snapshots: readonly SweptSnapshot[],
): Promise<readonly StoreUse[]> {
  const recorded = snapshots.flatMap((each): readonly StoreUse[] => {
    const { backend } = each.snapshot
    return backend ? [{ plane: each.plane, target: backend, snapshot: each }] : []
  })
  return [...recorded, ...(await readProviders(fleet)), ...(await readClaims(fleet))]
}

async function readProviders(fleet: FleetClient): Promise<readonly StoreUse[]> {
  const uses: StoreUse[] = []
  for await (const page of fleet.scan({ resource: storageName(PROVIDERS) })) {
    for (const { plane, object } of page) {
      uses.push({ plane, target: targetOf(snapshotProviderOf(object())), snapshot: null })
    }
  }
  return uses
}

async function readClaims(fleet: FleetClient): Promise<readonly StoreUse[]> {
  const classes = new Map<string, SnapshotClass>()
  for await (const page of fleet.scan({ resource: storageName(CLASSES) })) {
    for (const each of page) {
      classes.set(`${each.plane}/${each.name}`, snapshotClassOf(each.object()))
    }
  }
  const uses: StoreUse[] = []
  for await (const page of fleet.scan({ resource: storageName(CLAIMS) })) {
    for (const { plane, object } of page) {
      const claim = snapshotClaimOf(object())
      const found = classes.get(`${plane}/${claim.binding.className}`)
      const target = found && claim.binding.isBound ? mergeParameters(found, claim) : null
      if (target && !('unresolved' in target)) uses.push({ plane, target, snapshot: null })
    }
  }
  return uses
}
