import { Icon } from '../design/icon.tsx'
import type { DryRun } from './use-dry-run.ts'
import css from './edit.module.css'

/** Whether the server would accept the input. Screen readers announce changes. */
export function DryRunStatus({ dryRun: { state, error, errors } }: { readonly dryRun: DryRun }) {
  const problems = `${errors.length} ${errors.length === 1 ? 'problem' : 'problems'}`
  return (
    <span role="status" className={css['check']}>
      {state === 'checking' && 'Checking…'}
      {state === 'valid' && (
        <>
          <Icon name="check" size={14} /> The server accepts this
        </>
      )}
      {state === 'invalid' && (
        <>
          <Icon name="alert" size={14} /> {errors.length > 0 ? problems : error?.message}
        </>
      )}
    </span>
  )
}
