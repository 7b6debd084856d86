import { type ConsoleRig, startConsoleRig } from './console-rig.ts'

/** A rig that starts with its first use. A failed start fails every use. */
export interface SharedRig extends AsyncDisposable {
  get(): Promise<ConsoleRig>
}

export function sharedRig(): SharedRig {
  let starting: Promise<ConsoleRig> | null = null
  return {
    get: () => (starting ??= startConsoleRig()),
    [Symbol.asyncDispose]: async () => {
      const rig = await starting?.catch(() => null)
      await rig?.[Symbol.asyncDispose]()
    },
  }
}
