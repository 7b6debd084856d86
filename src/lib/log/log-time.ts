let lastMillisecond = 0
let lastTime = ''

/** The `time` field of a log line, in pino's format. Lines within a millisecond share the text. */
export function logTime(): string {
  const now = Date.now()
  if (now !== lastMillisecond) {
    lastMillisecond = now
    lastTime = `,"time":"${new Date(now).toISOString()}"`
  }
  return lastTime
}
