import type { HostedInstance } from '../runtime/hosted-drivers.ts'

/** An instance that does not run while its files are captured. */
export interface FrozenInstance {
  readonly wasFrozen: boolean
  thaw(): Promise<void>
}

/** Freezes an instance unless it is frozen. */
export async function freezeInstance(instance: HostedInstance): Promise<FrozenInstance> {
  const wasFrozen = await instance.isFrozen()
  if (!wasFrozen) await instance.freeze()
  return { wasFrozen, thaw: () => instance.thaw() }
}
