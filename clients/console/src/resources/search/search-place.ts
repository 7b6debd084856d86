import { isOpen, type SearchToken, searchTokens } from './search-token.ts'

/** The kind of text that can follow in a search. */
export type Expectation = 'field' | 'operator' | 'value' | 'null' | 'list' | 'connective'

/** The place of the cursor in a search. */
export interface SearchPlace {
  readonly expects: Expectation
  /** The field of the comparison at the cursor; empty outside of one. */
  readonly field: string
  /** The text that a completion replaces: what the user has begun to write. */
  readonly from: number
  readonly to: number
  readonly prefix: string
  /** Whether the cursor is inside of the brackets of `in (...)`. */
  readonly isInList: boolean
}

interface State {
  readonly expects: Expectation
  readonly field: string
  readonly isInList: boolean
  /** Bounds of `between` that are missing. */
  readonly bounds: number
}

const START: State = { expects: 'field', field: '', isInList: false, bounds: 0 }

/** Finds the place of a cursor. Only the text before the cursor counts. */
export function searchPlace(search: string, cursor: number): SearchPlace {
  const tokens = searchTokens(search.slice(0, cursor))
  const last = tokens.at(-1)
  const partial = last !== undefined && last.end === cursor && isPartial(last) ? last : null
  const before = partial === null ? tokens : tokens.slice(0, -1)
  let state = START
  for (const token of before) state = next(state, token)
  const { expects, field, isInList } = state
  const from = partial?.start ?? cursor
  return { expects, field, isInList, from, to: cursor, prefix: partial?.text ?? '' }
}

/** Whether a search ends with a finished comparison, so that it can be sent. */
export function isComplete(search: string): boolean {
  const tokens = searchTokens(search)
  let state = START
  let depth = 0
  for (const token of tokens) {
    state = next(state, token)
    if (token.text === '(' || token.text === '[') depth += 1
    if (token.text === ')' || token.text === ']') depth -= 1
  }
  const last = tokens.at(-1)
  if (last === undefined) return true
  return state.expects === 'connective' && depth === 0 && !isOpen(last)
}

/** Whether the user may still be writing the token before the cursor. */
function isPartial(token: SearchToken): boolean {
  if (token.kind === 'bracket' || token.kind === 'operator') return false
  return token.kind !== 'text' || isOpen(token)
}

function next(state: State, token: SearchToken): State {
  const word = token.text.toLowerCase()
  switch (state.expects) {
    case 'field':
      if (word === '(' || word === 'not') return state
      if (word === 'true' || word === 'false') return { ...START, expects: 'connective' }
      return { ...START, expects: 'operator', field: token.text }
    case 'operator':
      return afterOperator(state, word)
    case 'list':
      if (word === '(' || word === '[') return { ...state, expects: 'value', isInList: true }
      return state
    case 'null':
      return word === 'not' ? state : { ...START, expects: 'connective' }
    case 'value':
      return afterValue(state, word)
    case 'connective':
      return afterComparison(state, word)
    default:
      return state
  }
}

function afterOperator(state: State, word: string): State {
  if (word === 'not') return state
  if (word === 'in') return { ...state, expects: 'list' }
  if (word === 'is') return { ...state, expects: 'null' }
  return { ...state, expects: 'value', bounds: word === 'between' ? 1 : 0 }
}

function afterValue(state: State, word: string): State {
  if (state.isInList) {
    if (word !== ')' && word !== ']') return state
    return { ...START, expects: 'connective' }
  }
  if (word === 'and' && state.bounds === 0) return state
  if (state.bounds > 0) return { ...state, bounds: state.bounds - 1, expects: 'connective' }
  return { ...START, expects: 'connective' }
}

/** After the lower bound of `between`, `and` introduces the upper one. */
function afterComparison(state: State, word: string): State {
  if (word !== 'and' && word !== 'or') return state
  return state.field === '' ? START : { ...state, expects: 'value' }
}
