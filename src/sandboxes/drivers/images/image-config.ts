import { badImage } from './bad-image.ts'
import type { ImageUser } from './users/resolve-user.ts'

/** How the programs of an image start. */
export interface ImageConfig {
  /** `NAME=VALUE` */
  readonly env: readonly string[]
  readonly entrypoint: readonly string[]
  readonly cmd: readonly string[]
  /** Empty for the workspace of the sandbox. */
  readonly workingDir: string
  /** Absent if the sandbox has only its own user. */
  readonly user?: ImageUser
}

/** The configuration of a root file system without one. */
export const NO_CONFIG: ImageConfig = { env: [], entrypoint: [], cmd: [], workingDir: '' }

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*=/

/** Reads the fields that a sandbox uses from a configuration of OCI or Docker. */
export function imageConfig(document: unknown): ImageConfig {
  const config = fieldsOf(fieldsOf(document)['config'])
  const workingDir = config['WorkingDir'] ?? ''
  if (typeof workingDir !== 'string' || workingDir.includes('\0')) {
    throw badImage('WorkingDir of its configuration is not a path')
  }
  return {
    // Shells could not export other names.
    env: textsIn(config, 'Env').filter((each) => VARIABLE.test(each)),
    entrypoint: textsIn(config, 'Entrypoint'),
    cmd: textsIn(config, 'Cmd'),
    // `/` is what many tools write if nothing was chosen.
    workingDir: workingDir === '/' ? '' : workingDir,
  }
}

/** The user of a configuration of OCI or Docker, whose names the files of the image resolve. */
export function configuredUser(document: unknown): string {
  const user = fieldsOf(fieldsOf(document)['config'])['User'] ?? ''
  if (typeof user === 'string') return user
  throw badImage('User of its configuration is not a text')
}

function textsIn(config: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const value = config[name] ?? []
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string')
  if (isList && !value.some((each) => each.includes('\0'))) return value
  throw badImage(`${name} of its configuration is not a list of texts`)
}

/** The fields of a value of JSON; none unless it is an object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? Object.fromEntries(Object.entries(value)) : {}
}
