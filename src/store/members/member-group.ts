/** A group of root resources as statements select its members. */
export interface GroupSelection {
  readonly uid: string
  /** The tenant of the members, or NO_TENANT. */
  readonly tenant: string
  readonly name: string
  /** The kind of the members. */
  readonly kind: string
  /** The key of the label that has the name of the group. */
  readonly label: string
}

/** The label of the group as a JSON object, for containment. */
export function groupLabel({ label, name }: Pick<GroupSelection, 'label' | 'name'>): string {
  return JSON.stringify({ [label]: name })
}
