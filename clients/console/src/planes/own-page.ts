interface ObjectAddress {
  readonly plane: string
  readonly group: string
  readonly plural: string
  readonly namespace: string
  readonly name: string
}

/** The page of the console that is made for an object; null if there is none. */
export function ownPage({ plane, group, plural, namespace, name }: ObjectAddress): string | null {
  const segments = [plane, namespace, name].map((segment) => encodeURIComponent(segment))
  if (group === 'agents.x-k8s.io' && plural === 'sandboxes') {
    return `/sandboxes/${segments.join('/')}`
  }
  if (group === 'kplane.dev' && plural === 'fleets') return `/fleets/${encodeURIComponent(name)}`
  return null
}
