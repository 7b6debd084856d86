/** A plane that exists. */
export interface PlaneRecord {
  /** The ID of the cluster, or `root`. */
  readonly plane: string
  readonly createdTime: Date
}

/** Finds planes by the ID or name of their cluster. */
export interface PlaneDirectory {
  /** Null if no such cluster exists. */
  find(reference: string): Promise<PlaneRecord | null>
}
