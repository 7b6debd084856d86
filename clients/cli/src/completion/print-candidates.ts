import { visibleText } from '../output/visible-text.ts'
import { type Completion, complete } from './complete.ts'

/** Prints a candidate per line, with a tab and its description. Failures print nothing. */
export async function printCandidates(
  completion: Completion,
  words: readonly string[],
): Promise<void> {
  const current = words.at(-1) ?? ''
  const candidates = await complete(completion, words).catch(() => [])
  const lines = candidates
    .filter(({ value }) => value.startsWith(current) || value === '__files__')
    .map(({ value, description = '' }) => `${visibleText(value)}\t${visibleText(description)}\n`)
  completion.runtime.out.write(lines.join(''))
}
