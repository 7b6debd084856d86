import { setTimeout as sleep } from 'node:timers/promises'
import { type Claim, claimDirectory, SettingError } from 'flotilla/programs'
import type { ImageDirectories } from './image-store.ts'

const TIMEOUT_MS = 30_000
const POLL_MS = 50

/** Changes what names and content refer to, while no other process does. */
export async function withLockedImages<T>(
  { parent }: ImageDirectories,
  change: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + TIMEOUT_MS
  let claim: Claim | null = null
  while (claim === null) {
    claim = await claimDirectory(parent, 'dir of SANDBOXD').catch((error: unknown) => {
      if (!(error instanceof SettingError) || performance.now() > deadline) throw error
      return null
    })
    if (claim === null) await sleep(POLL_MS)
  }
  try {
    return await change()
  } finally {
    await claim.release()
  }
}
