import type { LabelRequirement } from '../../store/objects/model/object-query.ts'
import { badRequest } from '../errors/failures.ts'
import { invalidValue, labelRequirement, type LabelOperator } from './label-requirement.ts'
import { labelKeyProblems } from './label-syntax.ts'
import { labelTokens, type LabelToken } from './label-tokens.ts'

const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  in: 'in',
  notin: 'notin',
  '=': 'in',
  '==': 'in',
  '!=': 'notin',
  '>': 'gt',
  '<': 'lt',
}
const EXPECTED_OPERATOR = 'in, notin, =, ==, !=, gt, lt'
const CONTEXT = 'unable to parse requirement: '

/** Parses a label selector, such as `app=web,tier notin (db,cache),!canary`. Throws a 400. */
export function parseLabelSelector(selector: string): readonly LabelRequirement[] {
  const cursor = new Cursor(labelTokens(selector))
  const requirements: LabelRequirement[] = []
  while (!cursor.isAt('end')) {
    if (!startsRequirement(cursor.current)) {
      throw badRequest(found(cursor.current, "!, identifier, or 'end of string'"))
    }
    requirements.push(parseRequirement(cursor))
    if (cursor.isAt('end')) break
    const separator = cursor.take()
    if (separator.text !== ',') throw badRequest(found(separator, "',' or 'end of string'"))
    if (!startsRequirement(cursor.current)) {
      throw badRequest(found(cursor.current, "identifier after ','"))
    }
  }
  return requirements
}

function startsRequirement({ type, text }: LabelToken): boolean {
  return type === 'word' || text === '!'
}

function parseRequirement(cursor: Cursor): LabelRequirement {
  const isNegated = cursor.isAt('!')
  if (isNegated) cursor.take()
  const key = cursor.takeWord('identifier')
  const problems = labelKeyProblems(key)
  if (problems.length > 0) {
    throw badRequest(`${CONTEXT}${invalidValue('<nil>', key, problems.join('; '))}`)
  }
  if (isNegated) return labelRequirement({ key, operator: '!', values: [] }, CONTEXT)
  if (cursor.endsRequirement) {
    return labelRequirement({ key, operator: 'exists', values: [] }, CONTEXT)
  }
  const token = cursor.take()
  const operator = Object.hasOwn(OPERATORS, token.text) ? OPERATORS[token.text] : undefined
  if (operator === undefined || token.type === 'end') {
    throw badRequest(`${CONTEXT}${found(token, EXPECTED_OPERATOR)}`)
  }
  const values = token.type === 'word' ? parseValues(cursor) : [parseExactValue(cursor)]
  return labelRequirement({ key, operator, values }, CONTEXT)
}

function parseExactValue(cursor: Cursor): string {
  return cursor.endsRequirement ? '' : cursor.takeWord('identifier')
}

/** The values in parentheses. Empty elements are the empty string. */
function parseValues(cursor: Cursor): readonly string[] {
  const open = cursor.take()
  if (open.text !== '(') throw badRequest(`${CONTEXT}found '${open.text}' expected: '('`)
  const values: string[] = []
  for (;;) {
    values.push(
      cursor.isAt(',') || cursor.isAt(')') ? '' : cursor.takeWord("',', ')' or identifier"),
    )
    const separator = cursor.take()
    if (separator.text === ')') return [...new Set(values)].toSorted()
    if (separator.text !== ',') throw badRequest(`${CONTEXT}${found(separator, "',' or ')'")}`)
  }
}

function found({ text }: LabelToken, expected: string): string {
  return `found '${text}', expected: ${expected}`
}

/** The position in a list of tokens. */
class Cursor {
  readonly #tokens: readonly LabelToken[]
  #position = 0

  constructor(tokens: readonly LabelToken[]) {
    this.#tokens = tokens
  }

  get current(): LabelToken {
    return this.#tokens[this.#position] ?? { type: 'end', text: '' }
  }

  get endsRequirement(): boolean {
    return this.isAt('end') || this.isAt(',')
  }

  isAt(symbol: '!' | ',' | ')' | 'end'): boolean {
    const { type, text } = this.current
    return symbol === 'end' ? type === 'end' : text === symbol
  }

  take(): LabelToken {
    const token = this.current
    this.#position += 1
    return token
  }

  takeWord(expected: string): string {
    const token = this.take()
    if (token.type !== 'word') throw badRequest(`${CONTEXT}${found(token, expected)}`)
    return token.text
  }
}
