import os from 'node:os'
import path from 'node:path'

/** The path of the file with the contexts. */
export function contextsFile({ XDG_CONFIG_HOME = '', HOME }: NodeJS.ProcessEnv): string {
  const base = XDG_CONFIG_HOME === '' ? path.join(HOME ?? os.homedir(), '.config') : XDG_CONFIG_HOME
  return path.join(base, 'flotilla', 'config.yaml')
}
