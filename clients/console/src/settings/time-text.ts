/** A time in the words of the user's region. */
export function timeText(time: string): string {
  const instant = Date.parse(time)
  return Number.isNaN(instant) ? time : new Date(instant).toLocaleString()
}
