import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { errorMessage } from '../error-message.ts'
import { ConfigError } from './config-error.ts'

/** The variable with the path of the settings file. */
const FILE_VARIABLE = 'FLOTILLA_ENV_FILE'

/** A name at the beginning of a line. A quoted value may continue on further lines. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The environment, completed by the settings file that it names. Variables take precedence. */
export function withSettingsFile(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const path = env[FILE_VARIABLE] ?? ''
  if (path === '') return env
  const set = Object.entries(env).filter(([, value]) => value !== undefined && value !== '')
  return { ...readSettingsFile(path), ...Object.fromEntries(set) }
}

/** Reads a file in the format of `.env` files. */
function readSettingsFile(path: string): NodeJS.ProcessEnv {
  // Node's parser joins a line without an equals sign with the next one. An empty name alone is ignored.
  const text = readText(path)
  const values = parseEnv(`${text}\n=\n`)
  const bad = Object.keys(values).find((name) => !NAME.test(name))
  if (bad === undefined) return values
  // The line may contain a secret, so the message does not quote it.
  const [start = ''] = bad.trim().split('\n')
  const number = text.split('\n').findIndex((line) => isOtherThanSetting(line, start)) + 1
  const place = number === 0 ? 'a line' : `line ${number}`
  throw new ConfigError(`${FILE_VARIABLE}: ${place} of ${path} is not NAME=value`)
}

/** Whether a line starts like a name that Node's parser found, and is not `NAME=value`. */
function isOtherThanSetting(line: string, start: string): boolean {
  const declaration = line.replace(/^\s*(export\s+)?/, '')
  const [name = '', ...value] = declaration.split('=')
  const isSetting = NAME.test(name.trim()) && value.length > 0
  return !isSetting && declaration.startsWith(start === '' ? '=' : start)
}

function readText(path: string): string {
  try {
    // Some editors begin a file with a byte order mark.
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    throw new ConfigError(`${FILE_VARIABLE}: cannot read ${path}: ${errorMessage(error)}`)
  }
}
