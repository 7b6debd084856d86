import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { ApiError, type FieldError } from '../../../typescript/src/index.ts'
import { useDebounced } from '../design/hooks/use-debounced.ts'
import { liveBoard } from '../live/live-board.ts'

const TYPING_MS = 400

/** The server's opinion of an input before it is saved. */
export interface DryRun {
  readonly state: 'checking' | 'valid' | 'invalid' | 'unknown'
  readonly errors: readonly FieldError[]
  /** The problem if the server would refuse the request for another reason than its fields. */
  readonly error: ApiError | null
}

const NO_ERRORS: readonly FieldError[] = []

/** Validates an input with the server after each pause in typing. Null inputs are not sent. */
export function useDryRun<T>(
  key: string,
  input: T | null,
  send: (input: T, signal: AbortSignal) => Promise<unknown>,
): DryRun {
  const text = JSON.stringify(input)
  const settled = useDebounced(text, TYPING_MS)
  const streams = useSyncExternalStore(liveBoard.subscribe, liveBoard.snapshot)
  const { data, isFetching } = useQuery({
    queryKey: ['dry run', key, settled],
    enabled: input !== null && settled === text,
    retry: false,
    queryFn: async ({ signal }) => {
      if (input === null) return null
      return await send(input, signal).then(
        () => null,
        (error: unknown) => {
          if (error instanceof ApiError) return error
          throw error
        },
      )
    },
    placeholderData: (last) => last,
  })
  if (input === null) return { state: 'unknown', errors: NO_ERRORS, error: null }
  const error = data ?? null
  const errors = error?.errors ?? NO_ERRORS
  if (isFetching || settled !== text) return { state: 'checking', errors, error }
  const isAway = streams.some(({ state }) => state === 'reconnecting')
  if (data === undefined || error?.status === 0 || isAway)
    return { state: 'unknown', errors, error: null }
  return { state: error === null ? 'valid' : 'invalid', errors, error }
}
