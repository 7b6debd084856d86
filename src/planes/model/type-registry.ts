import type { ResourceType } from './resource-type.ts'

/** The resources that a plane serves: native ones and those of its definitions. */
export interface PlaneTypes {
  /** Null if the plane does not serve the resource in this version. */
  find(group: string, version: string, plural: string): ResourceType | null
  findByKind(group: string, kind: string): ResourceType | null
  /** All served resources; changes of definitions create a new list. */
  readonly types: readonly ResourceType[]
}

/** Finds what planes serve. */
export interface TypeRegistry {
  typesOf(plane: string): Promise<PlaneTypes>
}
