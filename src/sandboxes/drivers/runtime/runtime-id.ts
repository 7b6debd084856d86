import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { readIfPresent, writePrivateFile } from 'flotilla/programs'

const MAX_MACHINE = 50

/** The id of a runtime: the machine's name and random digits. It stays with the directory. */
export async function readRuntimeId(stateDirectory: string, machine: string): Promise<string> {
  const file = path.join(stateDirectory, 'id')
  const existing = await readIfPresent(file)
  if (existing !== null && existing.trim() !== '') return existing.trim()
  const prefix = machine
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, MAX_MACHINE)
  const id = `${prefix || 'machine'}-${randomBytes(4).toString('hex')}`
  await writePrivateFile(file, `${id}\n`)
  return id
}
