import { parseAllDocuments } from 'yaml'
import { CliError } from '../errors/cli-error.ts'
import type { Document } from './document.ts'
import { inexactNumber } from './inexact-number.ts'
import { isJsonObject } from './json-object.ts'

/**
 * The objects of a YAML or JSON text, which may have several documents. Lists, such as a ClusterList,
 * count as their items.
 */
export function parseDocuments(text: string, file: string): readonly Document[] {
  const parsed = parseAllDocuments(text, { prettyErrors: true })
  const found: Document[] = []
  for (const [index, document] of [...parsed].entries()) {
    const source = parsed.length > 1 ? `${file} (document ${index + 1})` : file
    const [error] = document.errors
    if (error !== undefined) throw invalid(source, error.message.split('\n')[0] ?? '')
    const value = valueOf(() => document.toJS(), source)
    if (value === null || value === undefined) continue
    if (!isJsonObject(value)) throw invalid(source, 'it must be an object with kind and name')
    const inexact = inexactNumber(value)
    if (inexact !== null) {
      throw invalid(source, `${inexact} is a number that JSON cannot store exactly: quote it`)
    }
    found.push(...itemsOf(value).map((content) => ({ content, source })))
  }
  return found
}

/** Too many aliases are an error only when they are resolved. */
function valueOf(read: () => unknown, source: string): unknown {
  try {
    return read()
  } catch (error) {
    throw invalid(source, error instanceof Error ? error.message : String(error))
  }
}

function itemsOf(value: Document['content']): readonly Document['content'][] {
  const { kind, items } = value
  const isList = typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)
  return isList ? items.filter(isJsonObject) : [value]
}

function invalid(source: string, problem: string): CliError {
  return new CliError(`${source} is invalid: ${problem}`, { exit: 'usage' })
}
