import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Verified by `sha256sum --check SHA256SUMS`. */
const FILE = 'SHA256SUMS'

/** Writes the digest of every file below a folder. Returns the number of files. */
export async function writeChecksums(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== FILE)
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted()
  const lines: string[] = []
  for (const file of files) lines.push(`${await digestOf(path.join(folder, file))}  ${file}\n`)
  await writeFile(path.join(folder, FILE), lines.join(''))
  return files.length
}

async function digestOf(file: string): Promise<string> {
  const digest = createHash('sha256')
  await pipeline(createReadStream(file), digest)
  return digest.digest('hex')
}
