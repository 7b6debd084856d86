import { chmod, mkdir } from 'node:fs/promises'
import { errorMessage } from '../lib/error-message.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

const PATH = '/var/lib/flotilla'

/** Root's directory for files that the server's account cannot reach at their usual place. */
export async function systemDirectory(): Promise<string> {
  try {
    const created = await mkdir(PATH, { recursive: true })
    if (created !== undefined) await chmod(PATH, 0o755)
    return PATH
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `${PATH} cannot be created (${errorMessage(cause)}): install Flotilla and set DATA_DIR in ` +
        'directories that every account can enter, run it as an ordinary user, or set DATABASE_URL',
      { cause },
    )
  }
}
