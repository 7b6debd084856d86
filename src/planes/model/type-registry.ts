import type { ResourceType } from './resource-type.ts'

/** The resources that a plane serves: native ones and those of its definitions. */
export interface PlaneTypes {
  /** Null if the plane does not serve the resource in this version. */
  find(group: string, version: string, plural: string): ResourceType | null
  findByKind(group: string, kind: string): ResourceType | null
  /** All served resources; changes of definitions create a new list. */
  readonly types: readonly ResourceType[]
}

/** A resource in a version of its group. */
interface NeededResource {
  readonly group: string
  readonly version: string
  readonly plural: string
}

/** Finds what planes serve. */
export interface TypeRegistry {
  /**
   * What this server knows of the plane. If it does not know the needed resource, it first waits for
   * the stored definition: a client may have read that it is established.
   */
  typesOf(plane: string, needed?: NeededResource): Promise<PlaneTypes>
}
