import { sleep } from '../../../typescript/src/http/sleep.ts'

const RETRY_MS = 2000
/** The pace of reloads if the code is still missing, as while an upgrade is in progress. */
const RELOAD_MS = 15_000
const KEY = 'flotilla.reloaded'

/** Reloads the page as soon as the server answers. */
export async function reloadWhenBack(signal: AbortSignal): Promise<void> {
  try {
    const last = Number(sessionStorage.getItem(KEY) ?? 0)
    const age = Date.now() - last
    if (age < RELOAD_MS) await sleep(RELOAD_MS - age, signal)
    while (!(await isAnswering(signal))) await sleep(RETRY_MS, signal)
    sessionStorage.setItem(KEY, String(Date.now()))
    window.location.reload()
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function isAnswering(signal: AbortSignal): Promise<boolean> {
  try {
    const { ok } = await fetch('/console/', { method: 'HEAD', cache: 'no-store', signal })
    return ok
  } catch {
    signal.throwIfAborted()
    return false
  }
}
