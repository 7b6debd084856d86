import { describe, expect, it } from 'vitest'
import { isComplete, searchPlace } from './search-place.ts'

/** The place of the cursor `|` in a text. */
function placeIn(text: string) {
  const cursor = text.indexOf('|')
  return searchPlace(text.replace('|', ''), cursor)
}

describe('the place of the cursor in a search', () => {
  it.each([
    ['|', 'field', ''],
    ['la|', 'field', 'la'],
    ['labels.env|', 'field', 'labels.env'],
    ['labels."my k|', 'field', 'labels."my k'],
    ['not |', 'field', ''],
    ['(na|', 'field', 'na'],
    ['name |', 'operator', ''],
    ['name li|', 'operator', 'li'],
    ['name not |', 'operator', ''],
    ['name =|', 'value', ''],
    ["name = 'par|", 'value', "'par"],
    ["name = '|", 'value', "'"],
    ['name = "par|', 'value', '"par'],
    ['name == |', 'value', ''],
    ['name = "it\'s \\"x" |', 'connective', ''],
    ['name = `x` and |', 'field', ''],
    ['created_time > 2026-01-01T00:00:00Z |', 'connective', ''],
    ["'x' = name and |", 'field', ''],
    ['true and |', 'field', ''],
    ['generation > 1|', 'value', '1'],
    ["name = 'paris' |", 'connective', ''],
    ["name = 'paris' a|", 'connective', 'a'],
    ["name = 'paris' and |", 'field', ''],
    ["name = 'it''s' and |", 'field', ''],
    ['labels.a in |', 'list', ''],
    ["labels.a in ('x', |", 'value', ''],
    ["labels.a in ('x') |", 'connective', ''],
    ["labels.a in ('x') or |", 'field', ''],
    ['labels.a is |', 'null', ''],
    ['labels.a is not |', 'null', ''],
    ['labels.a is not null |', 'connective', ''],
    ['generation between 1 |', 'connective', ''],
    ['generation between 1 and |', 'value', ''],
    ['generation between 1 and 3 and |', 'field', ''],
  ])('expects at %s: %s', (text, expects, prefix) => {
    expect(placeIn(text)).toMatchObject({ expects, prefix })
  })

  it('names the field of the comparison', () => {
    expect(placeIn("name='x' and labels.team = '|").field).toBe('labels.team')
    expect(placeIn("labels.team in ('a', '|").field).toBe('labels.team')
    expect(placeIn("name='x' and |").field).toBe('')
  })

  it('replaces the begun word and leaves the text after the cursor', () => {
    expect(placeIn("lab|els.team = 'x'")).toMatchObject({ from: 0, to: 3, prefix: 'lab' })
  })
})

describe('a complete search', () => {
  it.each([
    ['', true],
    ['  ', true],
    ["name='paris'", true],
    ["(name='paris' or generation > 2)", true],
    ['labels.a is not null', true],
    ["labels.a in ('x', 'y')", true],
    ['generation between 1 and 2', true],
    ['name', false],
    ['name=', false],
    ["name='par", false],
    ["name='", false],
    ["(name='paris'", false],
    ["name='paris' and", false],
    ["labels.a in ('x'", false],
    ['generation between 1 and', false],
  ])('%s: %s', (search, expected) => {
    expect(isComplete(search)).toBe(expected)
  })
})
