import { formatAge } from './format-age.ts'
import { useNow } from './hooks/use-now.ts'

/** The age of a time, which grows on the page; its tooltip has the exact time. */
export function TimeAgo({
  time,
  suffix = '',
}: {
  readonly time: string
  readonly suffix?: string
}) {
  const now = useNow()
  const instant = Date.parse(time)
  if (Number.isNaN(instant)) return <span>{time}</span>
  return (
    <time dateTime={time} title={new Date(instant).toLocaleString()}>
      {formatAge(now - instant)}
      {suffix}
    </time>
  )
}
