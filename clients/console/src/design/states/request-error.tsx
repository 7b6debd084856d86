import { ApiError } from '../../../../typescript/src/errors/api-error.ts'
import { describeError } from './describe-error.ts'
import { Icon } from '../icon.tsx'
import css from './request-error.module.css'

/** A failed request next to its input, with the fields that are wrong; nothing without an error. */
export function RequestError({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null
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
              {!reason.startsWith(field) && <code>{field} </code>}
              {reason}
            </li>
          ))}
        </ul>
      )}
      <p className={css['remedy']}>{remedy}</p>
      {reference !== null && <p className={css['remedy']}>{reference}</p>}
    </div>
  )
}
