import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import type { View } from '../../../typescript/src/generated/hyperfleet.ts'
import { NotFound } from '../../../typescript/src/index.ts'
import { kindsQuery } from '../data/kinds.ts'
import { buttonClass } from '../design/button-class.ts'
import { EmptyState } from '../design/states/empty-state.tsx'
import { ErrorState } from '../design/states/error-state.tsx'
import { Page } from '../design/page.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import { chooseStartView, startView } from './start-view.ts'
import { useOpenView } from './use-open-view.ts'
import { viewQuery } from './views-query.ts'

/** Opens the list of a view, which a link names. */
export function ViewPage() {
  const { name } = useParams({ from: '/views/$name' })
  const { data: view, error, refetch } = useQuery(viewQuery(name))
  const { data: kinds } = useQuery(kindsQuery)
  const plural = kinds?.find(({ kind }) => kind === view?.spec.kind)?.plural
  if (view !== undefined && plural !== undefined) {
    return <OpenedView view={view} plural={plural} />
  }
  const isUnknownKind = view !== undefined && kinds !== undefined
  return (
    <Page title={name}>
      {error instanceof NotFound ? (
        <UnknownView name={name} />
      ) : error !== null || isUnknownKind ? (
        <ErrorState
          error={error ?? new Error(`The server has no kind ${view?.spec.kind}`)}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton lines={12} />
      )}
    </Page>
  )
}

interface OpenedViewProps {
  readonly view: View
  readonly plural: string
}

/** Replaces this page by the list of the view. */
function OpenedView({ view, plural }: OpenedViewProps) {
  const open = useOpenView()
  const replace = useEffectEvent(() => open(view, plural, { replace: true }))
  useEffect(() => replace(), [])
  return null
}

function UnknownView({ name }: { readonly name: string }) {
  const isStart = startView() === name
  const look = buttonClass({ variant: 'primary' })
  return (
    <EmptyState
      icon="bookmark"
      title={`There is no view ${name}`}
      actions={
        <Link
          to="/"
          className={look}
          onClick={() => {
            if (isStart) chooseStartView(null)
          }}
        >
          Open the overview
        </Link>
      }
    >
      It was deleted, or you may not read it.
      {isStart && ' This browser opens it first: the overview takes its place.'}
    </EmptyState>
  )
}
