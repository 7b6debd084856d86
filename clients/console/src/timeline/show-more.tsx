import { Button } from '../design/button.tsx'
import css from './timeline.module.css'

interface ShowMoreProps {
  readonly isLoading: boolean
  readonly onShow: () => void
  readonly children: string
}

/** The button at the end of a list that continues. */
export function ShowMore({ isLoading, onShow, children }: ShowMoreProps) {
  return (
    <div className={css['more']}>
      <Button size="small" disabled={isLoading} onClick={onShow}>
        {isLoading ? 'Loading…' : children}
      </Button>
    </div>
  )
}
