import type { JsonObject } from './json-object.ts'

/** An object of a file. */
export interface Document {
  readonly content: JsonObject
  /** Its place for messages, such as `clusters.yaml (document 2)`. */
  readonly source: string
}
