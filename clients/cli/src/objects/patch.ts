import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import type { PatchOptions } from '../commands/patch.ts'
import { CliError } from '../errors/cli-error.ts'
import { readFormat } from '../output/formats.ts'
import { printObjects } from '../output/print-objects.ts'
import type { Session } from '../session/session.ts'
import { changeObject } from './change-object.ts'
import { locateObjects } from './locate-objects.ts'

const CONTENT_TYPES = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  replace: 'application/json',
} as const

/** Patches an object. */
export async function patch(
  session: Session,
  args: readonly string[],
  options: PatchOptions,
): Promise<void> {
  const format = readFormat(options.output, ['json', 'yaml', 'name'])
  const body = parsed(await patchText(session, options))
  const { cluster, type } = options
  const [located] = await locateObjects(session, args, { cluster, verb: 'patch' })
  if (located === undefined) return
  const screen = format.name === 'table' ? session.out : session.err
  const changed = await changeObject(session, located, {
    contentType: CONTENT_TYPES[type],
    body,
    dryRun: options.dryRun === true,
    // An operation such as "add to the list" would apply twice.
    isRepeatable: type !== 'json',
    print: (line) => screen.write(`${line}\n`),
  })
  await printObjects(session, format, [{ label: located.label, object: changed }])
}

async function patchText(
  { stdin }: Session,
  { patch: text, patchFile }: PatchOptions,
): Promise<string> {
  if ((text === undefined) === (patchFile === undefined)) {
    throw new CliError('give the change with either --patch or --patch-file', { exit: 'usage' })
  }
  if (text !== undefined) return text
  if (patchFile === '-') return await stdin.read()
  return await readFile(patchFile ?? '', 'utf8').catch((cause: unknown) => {
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new CliError(`${patchFile} cannot be read: ${detail}`, { exit: 'usage', cause })
  })
}

function parsed(text: string): unknown {
  let value: unknown
  try {
    value = parse(text)
  } catch (cause) {
    const detail = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)
    throw new CliError(`the patch is neither YAML nor JSON: ${detail}`, { exit: 'usage', cause })
  }
  if (typeof value === 'object' && value !== null) return value
  throw new CliError('the patch must be an object or a list of operations', { exit: 'usage' })
}
