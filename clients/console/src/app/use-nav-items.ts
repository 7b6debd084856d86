import { useQuery } from '@tanstack/react-query'
import { HYPERFLEET, KPLANE, useAccess } from '../access/use-access.ts'
import { kindsQuery } from '../data/kinds.ts'
import { type NavItems, navItems } from './nav-items.ts'

/**
 * The entries of the navigation, without the lists that the caller may not read. Planes and
 * sandboxes have an entry for every caller, because each plane has its own roles.
 */
export function useNavItems(): NavItems {
  const { data: kinds } = useQuery(kindsQuery)
  const access = useAccess()
  const { resources, workloads, ...others } = navItems(kinds)
  const canList = (group: string, resource: string) =>
    access({ verb: 'list', group, resource }) === null
  return {
    ...others,
    resources: resources.filter(({ to }) => canList(HYPERFLEET, to.slice('/resources/'.length))),
    workloads: workloads.filter(({ to }) => to !== '/fleets' || canList(KPLANE, 'fleets')),
  }
}
