import { Button } from '../button.tsx'
import { describeError } from './describe-error.ts'
import { Icon } from '../icon.tsx'
import css from './state.module.css'

interface ErrorStateProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}

/** A failure in place of content: the server's problem and what to do. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const { title, message, remedy, reference } = describeError(error)
  return (
    <div className={css['state']} role="alert">
      <div className={`${css['icon']} ${css['bad']}`}>
        <Icon name="alert" size={20} />
      </div>
      <h2 className={css['title']}>{title}</h2>
      <p className={css['text']}>{message}</p>
      <p className={css['text']}>{remedy}</p>
      {reference !== null && <p className={css['small']}>{reference}</p>}
      {onRetry !== undefined && (
        <div className={css['actions']}>
          <Button onClick={onRetry}>
            <Icon name="refresh" size={14} />
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}
