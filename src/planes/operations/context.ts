import type { Clock } from '../../lib/clock.ts'
import type { AdmissionPlugin } from '../model/admission.ts'
import type { NativeResource } from '../model/native-resource.ts'
import type { ResourceStore } from '../model/resource-store.ts'
import type { ResourceType } from '../model/resource-type.ts'
import type { Converter } from '../model/converter.ts'
import type { ContinueTokens } from './reads/continue-token.ts'

/** The dependencies of the operations on objects. */
export interface OperationsContext {
  readonly clock: Clock
  /** The native resources by their key in storage. */
  readonly natives: ReadonlyMap<string, NativeResource>
  readonly storeOf: (type: ResourceType) => ResourceStore
  /** In the order in which they run. */
  readonly admission: readonly AdmissionPlugin[]
  readonly convert: Converter
  readonly continueTokens: ContinueTokens
}
