import type { Installation } from './installation.ts'

/** The installation of this process, which its calls name. */
export interface InstallationSource {
  /** Null if the installation has no ID yet. */
  current(): Promise<Installation | null>
  /** Reads it again for the next call. */
  forget(): void
}

/** A failover changes the timeline of the database. */
const MAX_AGE_MS = 5000

/** Keeps the last answer for a short time, and for as long as no other can be read. */
export function createInstallationSource(
  read: () => Promise<Installation | null>,
  now: () => number,
): InstallationSource {
  let known: Installation | null = null
  let expiresAt = 0
  let reading: Promise<Installation | null> | null = null

  async function refresh(): Promise<Installation | null> {
    try {
      known = await read()
      if (known !== null) expiresAt = now() + MAX_AGE_MS
    } catch (error) {
      if (known === null) throw error
    } finally {
      reading = null
    }
    return known
  }

  return {
    current: () => {
      if (known !== null && now() < expiresAt) return Promise.resolve(known)
      reading ??= refresh()
      return reading
    },
    forget: () => {
      expiresAt = 0
    },
  }
}
