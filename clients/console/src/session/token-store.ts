const KEY = 'flotilla.token'

/** The parts of the browser's storage that hold the token. */
export interface TokenPlaces {
  /** Forgets at the end of the tab. */
  readonly tab: Storage
  /** Keeps the token on this device. */
  readonly device: Storage
}

/** The stored token; empty if there is none. */
export function readToken({ tab, device }: TokenPlaces): string {
  return tab.getItem(KEY) ?? device.getItem(KEY) ?? ''
}

/** Stores a token for this tab, or for this device. An empty token removes it from both. */
export function storeToken(places: TokenPlaces, token: string, remember: boolean): void {
  places.tab.removeItem(KEY)
  places.device.removeItem(KEY)
  if (token !== '') (remember ? places.device : places.tab).setItem(KEY, token)
}

/** Whether the token is kept on this device. */
export function isRemembered({ device }: TokenPlaces): boolean {
  return device.getItem(KEY) !== null
}
