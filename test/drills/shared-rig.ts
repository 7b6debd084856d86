/** A rig that starts with its first use. A failed start fails every use. */
export interface SharedRig<Rig extends AsyncDisposable> extends AsyncDisposable {
  get(): Promise<Rig>
}

export function sharedRig<Rig extends AsyncDisposable>(start: () => Promise<Rig>): SharedRig<Rig> {
  let starting: Promise<Rig> | null = null
  return {
    get: () => (starting ??= start()),
    [Symbol.asyncDispose]: async () => {
      const rig = await starting?.catch(() => null)
      await rig?.[Symbol.asyncDispose]()
    },
  }
}
