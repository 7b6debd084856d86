import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** Folders that builds and installations create. */
const CREATED = /(^|[/\\])(node_modules|dist(\.[^/\\]*)?)([/\\]|$)/

/**
 * A digest of files and of all files in folders. Equal digests mean equal builds.
 * @param {string} root
 * @param {readonly string[]} sources Files and folders, relative to the root.
 * @param {readonly string[]} [outs] Folders in the sources that builds create, and replace at any time.
 */
export function sourceDigest(root, sources, outs = []) {
  const digest = createHash('sha256')
  const isCreated = (/** @type {string} */ file) =>
    CREATED.test(file) || outs.some((out) => file === out || file.startsWith(`${out}.`))
  for (const file of sources.flatMap((source) => filesOf(root, source, isCreated).sort())) {
    const content = readFileSync(path.join(root, file))
    digest.update(`${file}\0${content.length}\0`).update(content)
  }
  return digest.digest('hex')
}

/**
 * @param {string} root
 * @param {string} source
 * @param {(file: string) => boolean} isCreated
 * @returns {string[]}
 */
function filesOf(root, source, isCreated) {
  const full = path.join(root, source)
  if (statSync(full).isFile()) return [source]
  return readdirSync(full, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(source, entry.name)
    if (isCreated(file)) return []
    if (entry.isDirectory()) return filesOf(root, file, isCreated)
    return entry.isFile() ? [file] : []
  })
}
