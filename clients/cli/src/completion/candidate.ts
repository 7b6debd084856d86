/** A word that completes the current one. */
export interface Candidate {
  readonly value: string
  readonly description?: string | undefined
}

/** Stands for the completion of files by the shell. */
export const FILES: readonly Candidate[] = [{ value: '__files__' }]
