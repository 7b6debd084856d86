import { open, rename } from 'node:fs/promises'
import path from 'node:path'

const OWNER_ONLY = 0o600

/**
 * Replaces a file so that it is complete after a crash, with its old or its new content. Writes of
 * the same file must not overlap.
 */
export async function writeDurably(file: string, content: string): Promise<void> {
  const partial = `${file}.partial`
  const handle = await open(partial, 'w', OWNER_ONLY)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(partial, file)
  await syncDirectory(path.dirname(file))
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
