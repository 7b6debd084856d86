import { ConfigError } from '../config/config-error.ts'
import { OpenapiFileError } from '../apis/hyperfleet/openapi/load.ts'
import { KindsFileError } from '../apis/hyperfleet/configured-kinds/kinds-file-error.ts'
import { BackupError } from '../core/storage/backups/backup-error.ts'
import { RegistryError } from '../core/registry/registry.ts'
import { UnusableDatabaseError } from '../core/storage/database/unusable-database-error.ts'
import { EmbeddedPostgresError } from '../embedded-postgres/embedded-postgres-error.ts'
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
]

/** The text for a failure that ends the process. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (EXPLAINED.some((known) => error instanceof known)) return error.message
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `${error.message}: set PORT, HEALTH_PORT or METRICS_PORT to a free port, or to 0`
  }
  return error.stack ?? error.message
}
