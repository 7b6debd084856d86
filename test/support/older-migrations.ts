import { cp, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrationNames } from '../../src/store/database/migrate.ts'

export const MIGRATIONS = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))

interface OlderMigrations extends AsyncDisposable {
  readonly directory: string
}

/** Copies the migrations before one of them, as an older build has them. */
export async function copyMigrationsBefore(first: string): Promise<OlderMigrations> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-older-'))
  for (const name of await migrationNames(MIGRATIONS)) {
    if (name >= first) continue
    await cp(path.join(MIGRATIONS, name), path.join(directory, name), { recursive: true })
  }
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) }
}
