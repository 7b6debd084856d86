import { Panel } from '../design/panel.tsx'
import css from './overview.module.css'

/** In place of what broke: what would appear, and what adapters have to report for it. */
export function AllReady() {
  return (
    <Panel title="Nothing is broken">
      <p className={css['quiet']}>
        Every resource is ready. If an adapter reports a failure, or does not report, its resources
        appear here by adapter, reason, and a label or field of your choice. The reason is the one
        that the adapter reports in its condition <code>Available</code>.
      </p>
    </Panel>
  )
}
