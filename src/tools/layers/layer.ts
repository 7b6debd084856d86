/** The folders that the files of a folder may import. Subfolders without their own row inherit it. */
export interface Layer {
  /** Folders below src/; each includes its subfolders. The folder itself is always allowed. */
  readonly imports: readonly string[]
  /** Folders of which only types may be imported. */
  readonly types?: readonly string[]
}
