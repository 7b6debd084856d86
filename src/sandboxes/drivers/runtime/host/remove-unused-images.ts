import { pause } from 'flotilla'
import { collectImages } from '../../images/collect-images.ts'
import type { HostState } from './host-state.ts'

const INTERVAL_MS = 10_000

/** Removes images without a name when no sandbox uses them any more. */
export async function removeUnusedImages(state: HostState): Promise<void> {
  const isUsed = (digest: string): boolean =>
    [...state.records.values()].some(({ current }) => current?.image === digest)
  while (!state.closing.aborted) {
    try {
      for (const digest of await collectImages(state.images, isUsed)) {
        state.log.info({ digest }, 'removed an image')
      }
    } catch (error) {
      state.log.warn({ err: error }, 'unused images cannot be removed')
    }
    await pause(INTERVAL_MS, state.closing)
  }
}
