import path from 'node:path'
import { commentsOf } from './comments.ts'
import { descriptionsOf } from './descriptions.ts'
import { markdownProseOf } from './markdown.ts'
import { messagesOf } from './messages.ts'
import type { Passage } from './passage.ts'

const TITLE = /^\s*(?:describe|it|test)(?:\.\w+)*\(\s*(['"`])(.*?)\1/gm

type Extract = (source: string) => readonly Passage[]

const typescript: Extract = (source) => commentsOf(source, { line: '//', hasBlocks: true })
const hash: Extract = (source) => commentsOf(source, { line: '#', hasBlocks: false })
const yaml: Extract = (source) => [...hash(source), ...descriptionsOf(source)]

const BY_EXTENSION: Readonly<Record<string, Extract>> = {
  '.ts': (source) => [...typescript(source), ...testTitlesOf(source)],
  '.mjs': typescript,
  '.sql': (source) => commentsOf(source, { line: '--', hasBlocks: true }),
  '.prisma': typescript,
  '.yaml': yaml,
  '.yml': yaml,
  '.md': markdownProseOf,
}

/** Strings of tests are fixtures, and the rules contain the words that they find. */
const PRODUCTION_CODE = /^src\/(?!tools\/prose\/)(?:.*\/)?[^./]+\.ts$/

const BY_NAME: Readonly<Record<string, Extract>> = {
  Dockerfile: hash,
  '.ci/run': hash,
  '.ci/run-stages.sh': hash,
  '.ci/run-tests.sh': hash,
  '.ci/install-programs': hash,
  '.dockerignore': hash,
  '.gitignore': hash,
}

/** The prose of a file, in order, or null if its format has none. */
export function proseOf(file: string, source: string): readonly Passage[] | null {
  const extract = BY_NAME[file] ?? BY_EXTENSION[path.extname(file)]
  if (extract === undefined) return null
  const messages = PRODUCTION_CODE.test(file) ? messagesOf(source) : []
  return [...extract(source), ...messages].toSorted((one, other) => one.line - other.line)
}

/** The titles of a file's tests. */
function testTitlesOf(source: string): readonly Passage[] {
  return [...source.matchAll(TITLE)].map((match) => ({
    line: source.slice(0, match.index + match[0].search(/\S/)).split('\n').length,
    text: match[2] ?? '',
  }))
}
