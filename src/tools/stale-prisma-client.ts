import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { outputOfFailure } from './output-of-failure.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const CLIENT = 'src/generated/prisma'

/**
 * Generates the Prisma client from the schema in a temporary folder and compares it with the
 * committed client. Returns the remedy if they differ, else null.
 */
export async function stalePrismaClient(): Promise<string | null> {
  const copy = await mkdtemp(path.join(os.tmpdir(), 'flotilla-prisma-'))
  try {
    const schema = path.join(copy, 'prisma/schema.prisma')
    await cp(path.join(root, 'prisma/schema.prisma'), schema)
    // Without this, Prisma downloads its schema engine, which `generate` does not need.
    const env = { PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', CHECKPOINT_DISABLE: '1' }
    const failure = await outputOfFailure('prisma', ['generate', '--schema', schema], env)
    if (failure !== null) return failure
    if ((await contents(copy)) === (await contents(root))) return null
    return `${CLIENT} is stale: run PRISMA_SCHEMA_ENGINE_BINARY=/bin/true npx prisma generate`
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

/** The paths and texts of all files of the client below a root. */
async function contents(base: string): Promise<string> {
  const folder = path.join(base, CLIENT)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
  const texts = files.sort().map(async (file) => {
    return [file, await readFile(path.join(folder, file), 'utf8')]
  })
  return JSON.stringify(await Promise.all(texts))
}
