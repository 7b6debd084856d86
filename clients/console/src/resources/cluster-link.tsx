import { Link } from '@tanstack/react-router'
import { buttonClass } from '../design/button-class.ts'

/** A link to the page of a cluster that looks like a button. */
export function ClusterLink({ id }: { readonly id: string }) {
  return (
    <Link to="/resources/$plural/$id" params={{ plural: 'clusters', id }} className={buttonClass()}>
      Open the cluster
    </Link>
  )
}
