import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Denied } from '../access/denied.tsx'
import { useResourceAccess } from '../access/use-access.ts'
import { ErrorState } from '../design/states/error-state.tsx'
import { Page } from '../design/page.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import type { KindResource } from '../resource/data/kind-resource.ts'
import { useListCrumb } from '../resource/use-list-crumb.ts'
import { client } from '../session/connection.ts'
import { EditForm } from './edit-form.tsx'

/** Edits the spec, the labels and the annotations of a resource as YAML. */
export function EditPage() {
  const { plural = '', id = '' } = useParams({ strict: false })
  const crumb = useListCrumb(plural)
  const { data, error, refetch } = useQuery({
    queryKey: ['edited', plural, id],
    // The edit starts from the version that is current when the page opens.
    staleTime: Infinity,
    gcTime: 0,
    queryFn: ({ signal }) => client.collection<KindResource>(plural).getWithTag(id, { signal }),
  })
  const names = data === undefined ? [id] : [id, data.resource.name]
  const denied = useResourceAccess('patch', plural, names)
  if (data !== undefined && denied !== null)
    return (
      <Page title={`Edit ${data.resource.name}`} trail={[crumb]}>
        <Denied reason={denied} />
      </Page>
    )
  if (data !== undefined) return <EditForm key={id} plural={plural} version={data} />
  return (
    <Page title="Edit" trail={[crumb]}>
      {error === null ? (
        <Skeleton lines={10} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  )
}
