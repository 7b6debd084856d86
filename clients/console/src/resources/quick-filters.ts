import type { KindDescription } from '../../../typescript/src/generated/hyperfleet.ts'

/** The filters that most users need, as clauses of a search. */
export function quickFilters(
  kind: Pick<KindDescription, 'has_statuses'> | undefined,
): readonly { readonly label: string; readonly clause: string }[] {
  const deleting = { label: 'Deleting', clause: 'deleted_time is not null' }
  if (kind?.has_statuses === false) return [deleting]
  return [
    { label: 'Not ready', clause: "status.conditions.Ready='False'" },
    { label: 'Ready', clause: "status.conditions.Ready='True'" },
    deleting,
  ]
}
