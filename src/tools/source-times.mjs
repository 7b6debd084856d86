import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const FILE = '.source-times'
/** Folders that builds and installations create. */
const CREATED = ['node_modules', 'dist']

/**
 * The sizes and times of files and folders. Unlike a digest, they are read in a few milliseconds. The
 * time of a folder changes if a file is added or removed.
 * @param {string} root
 * @param {readonly string[]} sources Files and folders, relative to the root.
 * @returns {Record<string, string>}
 */
export function sourceTimes(root, sources) {
  return Object.fromEntries(
    sources
      .flatMap((source) => withContent(root, source))
      .map((file) => [file, timeOf(root, file)]),
  )
}

/**
 * Records the times of the sources from which a folder was built.
 * @param {string} folder
 * @param {Record<string, string>} times
 */
export function recordSourceTimes(folder, times) {
  writeFileSync(path.join(folder, FILE), JSON.stringify(times))
}

/**
 * Whether no source has changed since its time was recorded.
 * @param {string} root
 * @param {string} folder
 */
export function hasSameTimes(root, folder) {
  const file = path.join(folder, FILE)
  if (!existsSync(file)) return false
  /** @type {Record<string, string>} */
  const times = JSON.parse(readFileSync(file, 'utf8'))
  return Object.entries(times).every(([source, time]) => timeOf(root, source) === time)
}

/**
 * @param {string} root
 * @param {string} source
 */
function timeOf(root, source) {
  const found = statSync(path.join(root, source), { throwIfNoEntry: false })
  if (found === undefined) return ''
  return found.isDirectory() ? `${found.mtimeMs}` : `${found.mtimeMs} ${found.size}`
}

/**
 * @param {string} root
 * @param {string} source
 * @returns {string[]}
 */
function withContent(root, source) {
  if (statSync(path.join(root, source)).isFile()) return [source]
  const entries = readdirSync(path.join(root, source), { withFileTypes: true })
  const content = entries
    .filter(({ name }) => !CREATED.some((created) => name === created || name.startsWith('dist.')))
    .flatMap((entry) => withContent(root, `${source}/${entry.name}`))
  return [source, ...content]
}
