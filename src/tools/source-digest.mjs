import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** Folders that builds and installations create. */
const CREATED = /(^|[/\\])(node_modules|dist(\.[^/\\]*)?)([/\\]|$)/

/**
 * A digest of files and of all files in folders. Equal digests mean equal builds.
 * @param {string} root
 * @param {readonly string[]} sources Files and folders, relative to the root.
 */
export function sourceDigest(root, sources) {
  const digest = createHash('sha256')
  for (const file of sources.flatMap((source) => filesOf(root, source))) {
    const content = readFileSync(path.join(root, file))
    digest.update(`${file}\0${content.length}\0`).update(content)
  }
  return digest.digest('hex')
}

/**
 * @param {string} root
 * @param {string} source
 */
function filesOf(root, source) {
  const full = path.join(root, source)
  if (statSync(full).isFile()) return [source]
  const entries = readdirSync(full, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
    .filter((file) => !CREATED.test(file))
    .sort()
}
