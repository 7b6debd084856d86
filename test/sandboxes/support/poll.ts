import { setTimeout as sleep } from 'node:timers/promises'

const TIMEOUT_MS = 60_000
/** Each pause is longer than the previous one: reads during a long wait would keep a core busy. */
const PAUSE_MS = 50
const MAX_PAUSE_MS = 250

/** Reads until the value satisfies the condition; fails with the last value after a minute. */
export async function poll<Value>(
  what: string,
  read: () => Promise<Value> | Value,
  isWanted: (value: Value) => boolean,
): Promise<Value> {
  const end = Date.now() + TIMEOUT_MS
  for (let pause = PAUSE_MS; ; pause = Math.min(MAX_PAUSE_MS, pause + PAUSE_MS)) {
    const value = await read()
    if (isWanted(value)) return value
    if (Date.now() > end) throw new Error(`${what}: last value ${textOf(value)}`)
    await sleep(pause)
  }
}

/** Messages of the protocol contain integers of 64 bits. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' ? each.toString() : each,
  )
}
