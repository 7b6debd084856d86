import { nameContains } from '../../search/name-contains.ts'
import { searchTokens } from './search-token.ts'

const WORDS = /^[\w./:-]+$/

/**
 * The search that the user means. Words that are no search, such as `payments`, find names that
 * contain all of them.
 */
export function wordsToSearch(text: string): string {
  const words = text.trim().split(/\s+/)
  const isPlain =
    words.every((word) => WORDS.test(word)) &&
    searchTokens(text).every(({ kind }) => kind === 'field' || kind === 'number')
  return isPlain ? words.map(nameContains).join(' and ') : text.trim()
}
