let lastMillisecond = 0
let lastTime = ''

/** The member `time` of a log line, as pino wants it; many lines are of the same millisecond. */
export function logTime(): string {
  const now = Date.now()
  if (now !== lastMillisecond) {
    lastMillisecond = now
    lastTime = `,"time":"${new Date(now).toISOString()}"`
  }
  return lastTime
}
