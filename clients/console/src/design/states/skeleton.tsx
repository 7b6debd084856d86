import css from './skeleton.module.css'

/** Grey lines in place of content that is loading. */
export function Skeleton({ lines = 6 }: { readonly lines?: number }) {
  return (
    <div className={css['lines']} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className={css['line']} />
      ))}
    </div>
  )
}
