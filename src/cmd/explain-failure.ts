import { ConfigError } from '../lib/settings/config-error.ts'
import { OpenapiFileError } from '../hyperfleet/openapi/load.ts'
import { KindsFileError } from '../hyperfleet/configured-kinds/kinds-file-error.ts'
import { BackupError } from '../store/backups/backup-error.ts'
import { ImportError } from '../import/import-error.ts'
import { MoveError } from '../shards/storage/move-error.ts'
import { RegistryError } from '../store/registry/registry.ts'
import { translateDatabaseError } from '../store/database/translate-database-error.ts'
import { UnusableDatabaseError } from '../store/database/unusable-database-error.ts'
import { EmbeddedPostgresError } from '../embedded-postgres/embedded-postgres-error.ts'
import { errorMessage } from '../lib/error-message.ts'
import { FlotillaError } from '../lib/errors.ts'
import { SettingError } from '../lib/setting-error.ts'

/** Failures whose message is all that users need: no stack is printed. */
const EXPLAINED = [
  ConfigError,
  KindsFileError,
  SettingError,
  RegistryError,
  OpenapiFileError,
  EmbeddedPostgresError,
  UnusableDatabaseError,
  BackupError,
  MoveError,
  ImportError,
]

/** The text for a failure that ends the process. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (EXPLAINED.some((known) => error instanceof known)) return error.message
  if (isOutside(error)) return errorMessage(error)
  return error.stack ?? error.message
}

/** Whether the system or PostgreSQL failed, such as a full disk, and not this program. */
function isOutside(error: Error): boolean {
  if ('syscall' in error || 'severity' in error) return true
  return translateDatabaseError(error) instanceof FlotillaError
}
