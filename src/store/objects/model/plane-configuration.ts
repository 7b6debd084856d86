import type { StoredObject } from './stored-object.ts'

/** The objects of a plane's configuration resources (roles, definitions, ...) at one revision. */
export interface PlaneConfiguration {
  readonly revision: bigint
  /** The objects of a configuration resource in all namespaces, including computed ones. */
  objects(resource: string): readonly StoredObject[]
  /** A value that is computed once and kept until an object of one of the resources changes. */
  derive<Value>(
    key: symbol,
    resources: readonly string[],
    compute: (configuration: PlaneConfiguration) => Value,
  ): Value
}

/** The configurations of the planes in use; the feed keeps them current. */
export interface PlaneConfigurations {
  of(plane: string): Promise<PlaneConfiguration>
}
