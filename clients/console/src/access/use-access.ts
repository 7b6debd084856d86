import { useQuery } from '@tanstack/react-query'
import { accessQuery } from './access-query.ts'
import { isAllowed, type Operation } from './access-rules.ts'

/** The group of the resources of the HyperFleet API. */
export const HYPERFLEET = 'hyperfleet.io'

/** The group of fleets. */
export const KPLANE = 'kplane.dev'

/** Says why the caller may not do something; null if it may, or if that is unknown. */
export type Access = (operation: Operation) => string | null

/** The rights of the caller in a plane. The root plane decides about the HyperFleet API. */
export function useAccess(plane = 'root', namespace = 'default'): Access {
  const { data: rules = null } = useQuery(accessQuery(plane, namespace))
  return (operation) =>
    rules === null || isAllowed(rules, operation)
      ? null
      : `Your roles do not allow ${operation.verb} on ${operation.resource}.`
}

/** The right to do something with a resource of the HyperFleet API. */
export function useResourceAccess(verb: string, plural: string, names?: readonly string[]) {
  const access = useAccess()
  return access({
    verb,
    group: HYPERFLEET,
    resource: plural,
    ...(names !== undefined && { names }),
  })
}

/** Whether the caller may do something; undefined while its rights are read. */
export function useIsAllowed(
  operation: Operation,
  plane = 'root',
  namespace = 'default',
): boolean | undefined {
  const { data: rules, isPending } = useQuery(accessQuery(plane, namespace))
  if (isPending) return undefined
  // The server decides if it does not list all rules.
  return rules === null || rules === undefined || isAllowed(rules, operation)
}
