import type { ApiObject } from './api-object.ts'
import type { ResourceType } from './resource-type.ts'

/** Converts objects of one type to a version. Objects that have the version are returned as is. */
export type Converter = (
  objects: readonly ApiObject[],
  to: { readonly type: ResourceType; readonly version: string },
) => Promise<readonly ApiObject[]>
