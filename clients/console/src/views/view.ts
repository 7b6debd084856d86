import type { View } from '../../../typescript/src/generated/hyperfleet.ts'
import type { ListSearch } from '../resources/list-search.ts'

/** The condition that an alert sets. */
const FIRING = 'Firing'

/** The search for views whose alert fires. */
export const FIRING_SEARCH = `status.conditions.${FIRING}='True'`

/** The search parameters of the list that a view saves. */
export function listSearchOf({ name, spec }: Pick<View, 'name' | 'spec'>): ListSearch {
  const { search = '', order = '', columns = [] } = spec
  return {
    view: name,
    ...(search !== '' && { q: search }),
    ...(order !== '' && { sort: order }),
    ...(columns.length > 0 && { columns: columns.join(',') }),
  }
}

/** The spec of a view that saves a list, with the alert of the form. */
export function specOf(
  kind: string,
  { q = '', sort = '', columns = '' }: ListSearch,
  alert: View['spec']['alert'] | null,
): View['spec'] {
  return {
    kind,
    ...(q !== '' && { search: q }),
    ...(sort !== '' && { order: sort }),
    ...(columns !== '' && { columns: columns.split(',') }),
    ...(alert !== null && { alert }),
  }
}

/** Since when the alert of a view fires; null if it does not. */
export function firingSince({ status }: Pick<View, 'status'>): string | null {
  const firing = status.conditions.find(({ type }) => type === FIRING)
  return firing?.status === 'True' ? firing.last_transition_time : null
}
