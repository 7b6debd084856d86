import type { PlaneClient, Timers } from 'flotilla/controllers'
import { renewRegistration, RENEW_MS, type RuntimeDescription } from './register-runtime.ts'
import type { ListedRuntime, RuntimeDirectory } from './runtime-directory.ts'

interface Options {
  /** The root plane. */
  readonly client: PlaneClient
  readonly runtimes: Pick<RuntimeDirectory, 'list' | 'get' | 'onChange'>
  readonly describe: (runtime: ListedRuntime) => Promise<RuntimeDescription>
  readonly timers: Timers
}

/**
 * Renews the leases of runtimes whose server has ended, as long as they answer on a Unix socket of
 * this machine. Runtimes of other machines renew their own leases, and end them too.
 */
export function adoptRuntimes({ client, runtimes, describe, timers }: Options): AsyncDisposable {
  /** The last renewal by this process, by the name of the runtime. */
  const adopted = new Map<string, string>()
  const running = new Map<string, Promise<void>>()
  let isClosed = false

  async function renew(runtime: ListedRuntime): Promise<void> {
    try {
      const description = await describe(runtime)
      // The machine of the registration may be another one, with another runtime at the same path.
      if (description.id !== runtime.name) return
      const { clock } = timers
      const renewal = { client, clock, describe: () => Promise.resolve(description) }
      adopted.set(runtime.name, await renewRegistration(renewal))
    } catch {
      // A runtime that does not answer is lost: its lease has expired.
      adopted.delete(runtime.name)
    }
  }

  function consider(name: string): void {
    const runtime = runtimes.get(name)
    if (isClosed || runtime === null || running.has(name)) return
    if (!runtime.endpoint.startsWith('unix:')) return
    // Another renewal than the last one of this process shows that the runtime has a server again.
    if (runtime.isRenewed && adopted.get(name) !== runtime.renewTime)
      return void adopted.delete(name)
    const renewal = renew(runtime).finally(() => running.delete(name))
    running.set(name, renewal)
  }

  const subscription = runtimes.onChange((name) => {
    if (runtimes.get(name)?.isRenewed === false) consider(name)
  })
  let timer = timers.schedule(RENEW_MS, tick)
  function tick(): void {
    for (const { name } of runtimes.list()) consider(name)
    if (!isClosed) timer = timers.schedule(RENEW_MS, tick)
  }
  return {
    [Symbol.asyncDispose]: async () => {
      isClosed = true
      subscription[Symbol.dispose]()
      timer[Symbol.dispose]()
      await Promise.all(running.values())
    },
  }
}
