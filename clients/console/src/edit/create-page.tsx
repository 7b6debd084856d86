import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Denied } from '../access/denied.tsx'
import { useResourceAccess } from '../access/use-access.ts'
import { kindsQuery } from '../data/kinds.ts'
import { EmptyState } from '../design/states/empty-state.tsx'
import { ErrorState } from '../design/states/error-state.tsx'
import { Page } from '../design/page.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import { useListCrumb } from '../resource/use-list-crumb.ts'
import { CreateForm } from './create/create-form.tsx'

/** Creates a resource of any kind, by a form or as YAML. */
export function CreatePage() {
  const { plural = '' } = useParams({ strict: false })
  const { parent = '' } = useSearch({ from: '/resources/$plural/new' })
  const navigate = useNavigate()
  const crumb = useListCrumb(plural)
  const { data: kinds, error, refetch } = useQuery(kindsQuery)
  const kind = kinds?.find((one) => one.plural === plural)
  const denied = useResourceAccess('create', plural)
  if (kinds !== undefined && kind !== undefined && denied === null) {
    const choose = (id: string) =>
      void navigate({
        to: '/resources/$plural/new',
        params: { plural },
        search: id === '' ? {} : { parent: id },
        replace: true,
      })
    return (
      <CreateForm
        key={plural}
        kind={kind}
        parentKind={kinds.find((one) => one.kind === kind.parent_kind)}
        parentId={parent}
        onParent={choose}
      />
    )
  }
  return (
    <Page title="Create" trail={[crumb]}>
      {denied !== null ? (
        <Denied reason={denied} />
      ) : kinds !== undefined ? (
        <EmptyState icon="question" title={`The server has no kind ${plural}`}>
          Choose a kind in the navigation.
        </EmptyState>
      ) : error === null ? (
        <Skeleton />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  )
}
