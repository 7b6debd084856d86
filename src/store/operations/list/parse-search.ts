import { recordFacts } from '../../../lib/tracing/request-context.ts'
import type { Expression } from '../../search/language/expression.ts'
import { parseAll } from '../../search/language/parse.ts'

/** Parses the searches of a request, and records them for the slow-query log. */
export function parseSearch(texts: readonly string[]): Expression | null {
  if (texts.length > 0) recordFacts({ search: texts.join(' and ') })
  return parseAll(texts)
}
