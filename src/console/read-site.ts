import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { ENCODINGS, type FileEncoding } from '../http/json/accepted-encoding.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const ENDINGS: Readonly<Record<FileEncoding, string>> = { br: '.br', gzip: '.gz' }

/** A file with its compressed copies. */
export interface SiteFile {
  readonly type: string
  readonly etag: string
  readonly content: Buffer
  readonly encoded: ReadonlyMap<FileEncoding, Buffer>
}

/** The files of a build in memory. Requests can name nothing else, so no path leaves the folder. */
export interface Site {
  /** The page, whose content differs per response. */
  readonly page: string
  /** By path below the folder, such as `assets/index-1a2b.js`. */
  readonly files: ReadonlyMap<string, SiteFile>
  /** Identifies the build. */
  readonly version: number
}

const PAGE = 'index.html'

/** The time of a build in milliseconds; null if the folder has none. */
export function buildTime(folder: string): number | null {
  return statSync(path.join(folder, PAGE), { throwIfNoEntry: false })?.mtimeMs ?? null
}

/** Reads a build; null if the folder has none. */
export function readSite(folder: string): Site | null {
  const version = buildTime(folder)
  if (version === null) return null
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = new Map<string, SiteFile>()
  for (const name of names) {
    const type = TYPES[path.extname(name)]
    if (type === undefined || name === PAGE) continue
    files.set(name.split(path.sep).join('/'), readSiteFile(path.join(folder, name), type))
  }
  return { page: readFileSync(path.join(folder, PAGE), 'utf8'), files, version }
}

function readSiteFile(file: string, type: string): SiteFile {
  const content = readFileSync(file)
  const encoded = new Map<FileEncoding, Buffer>()
  for (const encoding of ENCODINGS) {
    const copy = `${file}${ENDINGS[encoding]}`
    if (statSync(copy, { throwIfNoEntry: false })) encoded.set(encoding, readFileSync(copy))
  }
  const etag = `"${createHash('sha256').update(content).digest('base64url')}"`
  return { type, etag, content, encoded }
}
