import { withSettingsFile } from './settings-file.ts'

/** The environment of this process, with the settings of FLOTILLA_ENV_FILE as it is now. */
export function programEnvironment(): NodeJS.ProcessEnv {
  return withSettingsFile(process.env)
}
