import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { CliError } from '../errors/cli-error.ts'
import type { Session } from '../session/session.ts'
import type { Document } from './document.ts'
import { parseDocuments } from './parse-documents.ts'

const EXTENSIONS = ['.yaml', '.yml', '.json']
const STDIN = '-'

/**
 * Reads the objects of files, of the files of folders by name, and of the standard input (`-`).
 * With `recursive`, folders include their subfolders.
 */
export async function loadDocuments(
  { stdin }: Pick<Session, 'stdin'>,
  files: readonly string[],
  { recursive = false }: { readonly recursive?: boolean | undefined },
): Promise<readonly Document[]> {
  const documents: Document[] = []
  for (const file of files) {
    if (file === STDIN) documents.push(...parseDocuments(await stdin.read(), 'stdin'))
    else for (const one of await filesOf(file, recursive)) documents.push(...(await load(one)))
  }
  if (documents.length > 0) return documents
  throw new CliError(`${files.join(', ')}: there is no object in it`, { exit: 'usage' })
}

async function load(file: string): Promise<readonly Document[]> {
  return parseDocuments(await readFile(file, 'utf8').catch(unreadable(file)), file)
}

/** A file that is named is read whatever its extension; folders offer only YAML and JSON. */
async function filesOf(file: string, recursive: boolean): Promise<readonly string[]> {
  const { isFolder } = await stat(file).then(
    (found) => ({ isFolder: found.isDirectory() }),
    unreadable(file),
  )
  if (!isFolder) return [file]
  const entries = await readdir(file, { recursive, withFileTypes: true }).catch(unreadable(file))
  const found = entries
    .filter((entry) => !entry.isDirectory() && EXTENSIONS.includes(path.extname(entry.name)))
    .map((entry) => path.join(entry.parentPath, entry.name))
  if (found.length === 0) {
    const hint = recursive ? undefined : 'Add --recursive to include its subfolders.'
    throw new CliError(`${file} contains no YAML or JSON files`, { exit: 'usage', hint })
  }
  return found.sort()
}

function unreadable(file: string): (cause: unknown) => never {
  return (cause) => {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    const detail = isMissing ? 'does not exist' : `cannot be read: ${messageOf(cause)}`
    throw new CliError(`${file} ${detail}`, { exit: 'usage', cause })
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
