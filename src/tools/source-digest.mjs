import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The files outside src/ that affect a build. */
const SETTINGS = ['tsconfig.json', 'tsconfig.build.json', 'package.json', 'package-lock.json']

/**
 * A digest of all inputs of a build. Equal digests mean equal builds.
 * @param {string} root
 */
export function sourceDigest(root) {
  const entries = readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true })
  const sources = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
  const digest = createHash('sha256')
  for (const file of [...SETTINGS, ...sources.sort()]) {
    const content = readFileSync(path.join(root, file))
    digest.update(`${file}\0${content.length}\0`).update(content)
  }
  return digest.digest('hex')
}
