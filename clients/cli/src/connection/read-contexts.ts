import { readFile } from 'node:fs/promises'
import { CliError } from '../errors/cli-error.ts'
import type { Context, Contexts } from './contexts.ts'
import { contextsFile } from './contexts-file.ts'

/** Reads the file with the contexts. A missing file has none. */
export async function readContexts(env: NodeJS.ProcessEnv): Promise<Contexts> {
  const file = contextsFile(env)
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new CliError(`${file} cannot be read: ${messageOf(error)}`, {
      cause: error,
      hint: 'Check its permissions, or set XDG_CONFIG_HOME to another folder.',
    })
  })
  if (text === null) return { current: null, contexts: {} }
  const { parse } = await import('yaml')
  try {
    return checked(parse(text))
  } catch (error) {
    throw new CliError(`${file} is invalid: ${messageOf(error)}`, {
      cause: error,
      hint: 'Correct the file, or remove it and log in again.',
    })
  }
}

function checked(value: unknown): Contexts {
  if (value === null || value === undefined) return { current: null, contexts: {} }
  if (!isRecord(value)) throw new Error('it must be a mapping')
  const { current, contexts = {} } = value
  if (!isRecord(contexts)) throw new Error("'contexts' must be a mapping")
  if (current !== undefined && current !== null && typeof current !== 'string') {
    throw new Error("'current' must be a name")
  }
  const entries = Object.entries(contexts).map(([name, one]) => [name, contextOf(name, one)])
  return { current: current ?? null, contexts: Object.fromEntries(entries) }
}

function contextOf(name: string, value: unknown): Context {
  if (!isRecord(value)) throw new Error(`the context '${name}' must be a mapping`)
  const { server, token, caFile } = value
  if (typeof server !== 'string') throw new Error(`the context '${name}' lacks a server`)
  if (!isOptionalText(token)) throw new Error(`the token of '${name}' must be text`)
  if (!isOptionalText(caFile)) throw new Error(`the caFile of '${name}' must be a path`)
  return { server, ...(token !== undefined && { token }), ...(caFile !== undefined && { caFile }) }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isOptionalText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string'

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
