import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ErrorState } from '../design/states/error-state.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import { PageLoadError } from './page-load-error.ts'
import { reloadWhenBack } from './reload-when-back.ts'
import css from './page-error.module.css'

/** A page that failed. The navigation stays usable. */
export function PageError({ error, reset }: ErrorComponentProps) {
  if (error instanceof PageLoadError) return <PageIsAway />
  return <ErrorState error={error} onRetry={reset} />
}

/** A browser keeps code that failed to load, so that only a new document can try again. */
function PageIsAway() {
  useEffect(() => {
    const controller = new AbortController()
    void reloadWhenBack(controller.signal)
    return () => controller.abort()
  }, [])
  return (
    <>
      <p role="status" className={css['away']}>
        The server does not answer. This page opens when it is back.
      </p>
      <Skeleton lines={12} />
    </>
  )
}
