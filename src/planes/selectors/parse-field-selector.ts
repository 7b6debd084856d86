import type { FieldRequirement } from '../../store/objects/model/object-query.ts'
import { badRequest } from '../errors/failures.ts'

const ESCAPED = '\\,='

/** Parses a field selector, such as `metadata.name=web,status.phase!=Active`. Throws a 400. */
export function parseFieldSelector(selector: string): readonly FieldRequirement[] {
  return splitTerms(selector)
    .filter((term) => term !== '')
    .map((term) => parseTerm(term, selector))
}

/** Splits at commas, except escaped ones. */
function splitTerms(selector: string): readonly string[] {
  const terms = []
  let start = 0
  for (let position = 0; position < selector.length; position += 1) {
    const character = selector.charAt(position)
    if (character === '\\') position += 1
    if (character !== ',') continue
    terms.push(selector.slice(start, position))
    start = position + 1
  }
  return [...terms, selector.slice(start)]
}

function parseTerm(term: string, selector: string): FieldRequirement {
  const match = /^(?<field>.*?)(?<operator>!=|==|=)(?<value>.*)$/s.exec(term)
  const { field, operator, value } = match?.groups ?? {}
  if (field === undefined || value === undefined) {
    throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`)
  }
  return { operator: operator === '!=' ? 'not-equals' : 'equals', field, value: unescape(value) }
}

function unescape(value: string): string {
  let result = ''
  const characters = value[Symbol.iterator]()
  for (const character of characters) {
    if (character === '\\') result += escapedCharacter(characters.next().value)
    else if (ESCAPED.includes(character)) {
      const code = character.codePointAt(0)
      throw badRequest(`invalid field selector: unescaped character in value: ${code}`)
    } else result += character
  }
  return result
}

function escapedCharacter(character: string | undefined): string {
  if (character !== undefined && ESCAPED.includes(character)) return character
  throw badRequest(`invalid field selector: invalid escape sequence: \\${character ?? ''}`)
}
