import { ApiError } from '../../../typescript/src/errors/api-error.ts'
import { describeError } from '../design/describe-error.ts'
import { Icon } from '../design/icon.tsx'
import css from './request-error.module.css'

/** The error of a request next to its form, with the fields that are wrong. */
export function RequestError({ error }: { readonly error: unknown }) {
  const { title, message, remedy, reference } = describeError(error)
  const fields = error instanceof ApiError ? error.errors : []
  return (
    <div className={css['error']} role="alert">
      <div className={css['title']}>
        <Icon name="alert" size={14} />
        {title}
      </div>
      {fields.length === 0 && <p>{message}</p>}
      {fields.length > 0 && (
        <ul>
          {fields.map(({ field, message: reason }) => (
            <li key={`${field} ${reason}`}>
              <code>{field}</code> {reason}
            </li>
          ))}
        </ul>
      )}
      <p className={css['remedy']}>{remedy}</p>
      {reference !== null && <p className={css['remedy']}>{reference}</p>}
    </div>
  )
}
