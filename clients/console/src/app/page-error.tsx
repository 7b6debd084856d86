import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorState } from '../design/states/error-state.tsx'

/** A page that failed. The navigation stays usable. */
export function PageError({ error, reset }: ErrorComponentProps) {
  return <ErrorState error={error} onRetry={reset} />
}
