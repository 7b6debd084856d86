/** The effect of a difference between source and target on a resource. */
export type Effect =
  /** It is not imported. */
  | 'skipped'
  /** It is imported without a part of it. */
  | 'changed'
  /** It is imported as it is, and the text says what differs later. */
  | 'kept'
  /** Both sides have it, with different values. */
  | 'differs'

/** Something that does not fit, for the report of an import. */
export interface Finding {
  readonly effect: Effect
  readonly kind: string
  /** Empty if the finding concerns the whole kind. */
  readonly id: string
  readonly text: string
}

/** The line of a finding. */
export function formatFinding({ effect, kind, id, text }: Finding): string {
  return `${effect}\t${id === '' ? kind : `${kind} ${id}`}\t${text}`
}
