import { EmptyState } from '../design/states/empty-state.tsx'

/** In place of a form that the server would refuse, so that nothing is typed in vain. */
export function Denied({ reason }: { readonly reason: string }) {
  return (
    <EmptyState icon="alert" title="You may not do this">
      {reason} Ask an administrator for a role that allows it.
    </EmptyState>
  )
}
