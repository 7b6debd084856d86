import { open } from 'node:fs/promises'

/** Makes created and renamed entries of a directory survive a power failure. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
