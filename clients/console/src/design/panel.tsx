import { type ReactNode, useId } from 'react'
import css from './panel.module.css'

interface PanelProps {
  readonly title: string
  readonly note?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A framed part of a page with its own heading. */
export function Panel({ title, note, actions, children }: PanelProps) {
  const id = useId()
  return (
    <section className={css['panel']} aria-labelledby={id}>
      <div className={css['head']}>
        <h2 id={id} className={css['title']}>
          {title}
        </h2>
        {note !== undefined && <span className={css['note']}>{note}</span>}
        {actions}
      </div>
      {children}
    </section>
  )
}
