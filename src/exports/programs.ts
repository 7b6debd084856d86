/** Programs beside the server: settings, logs, signals, processes, files, keys. */
export { formatTenant } from '../access/tenant.ts'
export { readTenant } from '../access/tenant-argument.ts'
export { createLifecycle, type Lifecycle } from '../lib/async/lifecycle.ts'
export { stopSignals } from '../lib/async/stop-signals.ts'
export { type EncryptionKey, readEncryptionKeys } from '../lib/encryption/encryption-keys.ts'
export { type Claim, claimDirectory, isClaimed } from '../lib/files/claim-directory.ts'
export { fileExists } from '../lib/files/file-exists.ts'
export { readIfPresent } from '../lib/files/read-if-present.ts'
export { writePrivateFile } from '../lib/files/write-private-file.ts'
export { listen } from '../lib/listen.ts'
export { openLog } from '../lib/log/open-log.ts'
export { packageVersion } from '../lib/package-version.ts'
export { readBootId } from '../lib/processes/boot-id.ts'
export { closeInheritedDescriptors } from '../lib/processes/close-inherited-descriptors.ts'
export { hasEnded } from '../lib/processes/has-ended.ts'
export { processStart } from '../lib/processes/process-start.ts'
export { sendSignal, sendSignalIfOwn } from '../lib/processes/send-signal.ts'
export { SettingError } from '../lib/setting-error.ts'
export { ConfigError, throwIfInvalid } from '../lib/settings/config-error.ts'
export { formerWarnings } from '../lib/settings/former-settings.ts'
export { writeGroupedValues } from '../lib/settings/grouped-values.ts'
export { PROCESS_SETTINGS } from '../lib/settings/process-settings.ts'
export { programEnvironment } from '../lib/settings/program-environment.ts'
export { readSettings, type ValuesOf } from '../lib/settings/read-settings.ts'
export {
  choice,
  commaList,
  duration,
  flag,
  integer,
  optionalText,
  readDuration,
  retired,
  type Setting,
} from '../lib/settings/setting.ts'
export { settingsHelp } from '../lib/settings/settings-help.ts'
export { selfSignedFiles } from '../http/server/tls/self-signed.ts'
