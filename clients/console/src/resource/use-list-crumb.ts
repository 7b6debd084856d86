import { useQuery } from '@tanstack/react-query'
import { pluralLabel } from '../app/nav-items.ts'
import { kindsQuery } from '../data/kinds.ts'
import type { Crumb } from '../design/page.tsx'

/** The link to the list of a kind, above the pages of its resources. */
export function useListCrumb(plural: string): Crumb {
  const { data: kinds } = useQuery(kindsQuery)
  const kind = kinds?.find((one) => one.plural === plural)?.kind
  return {
    label: kind === undefined ? plural : pluralLabel(kind, plural),
    to: `/resources/${plural}`,
  }
}
