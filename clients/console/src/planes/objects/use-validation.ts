import { useEffect, useRef, useState } from 'react'
import { ApiError, type FieldError } from '../../../../typescript/src/errors/api-error.ts'
import type { UnknownObject } from '../../../../typescript/src/http/json.ts'
import { parseYaml } from '../../edit/yaml/parse-yaml.ts'
import { useDebounced } from '../../design/hooks/use-debounced.ts'

const PAUSE_MS = 500
const INVALID = [400, 422]
const NONE: readonly FieldError[] = []

type Validate = (edited: UnknownObject, signal: AbortSignal) => Promise<unknown>

/** The server's objections to a text after a pause in typing. Null validates nothing. */
export function useValidation(text: string | null, validate: Validate): readonly FieldError[] {
  const stable = useDebounced(text, PAUSE_MS)
  const latest = useRef(validate)
  const [result, setResult] = useState({ text: '', problems: NONE })
  useEffect(() => {
    latest.current = validate
  })
  useEffect(() => {
    const value = stable === null ? null : parseYaml(stable).value
    if (stable === null || value === null) return
    const controller = new AbortController()
    const finish = (problems: readonly FieldError[]) => {
      if (!controller.signal.aborted) setResult({ text: stable, problems })
    }
    latest.current(value, controller.signal).then(
      () => finish(NONE),
      (error: unknown) => finish(problemsOf(error)),
    )
    return () => controller.abort()
  }, [stable])
  return result.text === text ? result.problems : NONE
}

function problemsOf(error: unknown): readonly FieldError[] {
  if (!(error instanceof ApiError) || !INVALID.includes(error.status)) return NONE
  return error.errors.length > 0 ? error.errors : [{ field: '', message: error.message }]
}
