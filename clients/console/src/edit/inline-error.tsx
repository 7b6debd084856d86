import { ApiError } from '../../../typescript/src/index.ts'
import { describeError } from '../design/describe-error.ts'
import { Icon } from '../design/icon.tsx'
import css from './edit.module.css'

/** A failed request next to the input that caused it; nothing without an error. */
export function InlineError({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null
  const { title, message, remedy, reference } = describeError(error)
  const fields = error instanceof ApiError ? error.errors : []
  return (
    <div role="alert" className={`${css['notice']} ${css['bad']}`}>
      <Icon name="alert" />
      <div>
        <strong>{title}</strong>
        <p>{message}</p>
        {fields.length > 0 && (
          <ul>
            {fields.map(({ field, message: text }) => (
              <li key={`${field} ${text}`}>{text}</li>
            ))}
          </ul>
        )}
        <p>{remedy}</p>
        {reference !== null && <p className={css['small']}>{reference}</p>}
      </div>
    </div>
  )
}
