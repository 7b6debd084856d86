import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../json/json.ts'
import { mappingValueOf } from './mapping-value.ts'
import { compileExpression, ExpressionError } from './compile-expression.ts'

const MANY = Array.from({ length: 3000 }, (_, index) => index)

function status(adapter: string, data: JsonObject): JsonObject {
  const conditions = [{ type: 'Quota', status: 'True', reason: 'Enough', message: 'For a year' }]
  return { adapter, observed_generation: 2, conditions, data }
}

const VARIABLES = {
  statuses: mappingValueOf([
    status('gcp', { quota: { remaining: 25 }, constructor: 'own', adminPassword: 'hunter2' }),
    status('dns', { many: MANY, log: 'x'.repeat(500_000) }),
  ]),
  resource: mappingValueOf({
    generation: 2,
    spec: { zones: ['a', 'b'] },
    labels: { tier: 'gold' },
  }),
}

function evaluate(text: string): unknown {
  return compileExpression(text, 'any').evaluate(VARIABLES)
}

describe('an expression', () => {
  it.each([
    [`statuses.exists(s, s.adapter == "gcp" && s.conditions.exists(c, c.type == "Quota"))`, true],
    [`statuses.filter(s, s.adapter == "gcp")[0]\n  .conditions[0].reason`, 'Enough'],
    [`statuses.exists(s, s.?data.?quota.?remaining.hasValue())`, true],
    [`statuses[1].?data.?quota.?remaining.orValue(0) > 10 ? "True" : "False"`, 'False'],
    [`"left: " + string(statuses[0].data.quota.remaining)`, 'left: 25'],
    [`dig(statuses[0].data, "quota.remaining") == 25`, true],
    [`dig(resource, "spec.zones.1")`, 'b'],
    [`dig(resource, "spec.nothing.at.all") == null`, true],
    [`toJson(resource.spec)`, '{"zones":["a","b"]}'],
    [`statuses.map(s, s.adapter).join(",")`, 'gcp,dns'],
    [`resource.labels.tier in ["gold", "silver"] && "tier" in resource.labels`, true],
    [`statuses.all(s, s.observed_generation == resource.generation)`, true],
    [`statuses[0].data.constructor`, 'own'],
    [`true || statuses[9].data`, true],
    [`resource.spec.zones[0].matches("^(a+)+$")`, true],
  ])('has the value that CEL gives it: %s', (text, value) => {
    expect(evaluate(text)).toEqual(value)
  })

  it('sees secrets redacted', () => {
    expect(evaluate('statuses[0].data.adminPassword')).toBe('***REDACTED***')
    expect(evaluate('toJson(statuses[0])')).not.toContain('hunter2')
  })

  it.each([
    ['an empty text', '', 'must be a CEL expression, found nothing'],
    [
      'broken syntax',
      '"x" +\n  *',
      "is not valid CEL: Syntax error: unexpected '*' (line 2, column 3 of the expression)",
    ],
    [
      'an unknown variable',
      'nothing.x',
      "is not valid CEL: undeclared reference to 'nothing' (in container '') (line 1, column 1 of the expression)",
    ],
    ['a wrong number of arguments', 'dig(resource)', 'is not valid CEL: '],
    ['a binding', 'cel.bind(a, "x", a + a)', 'is not valid CEL: '],
    ['an accumulator of macros', '[1].all(@result, true)', 'is not valid CEL: Syntax error'],
    ['a long text', `"${'x'.repeat(4096)}"`, 'must have at most 4096 characters, found 4098'],
    [
      'many operators',
      `1${'+1'.repeat(600)}`,
      'is not valid CEL: expression is nested more than 100',
    ],
    [
      'deep nesting',
      `${'['.repeat(110)}${']'.repeat(110)}`,
      'is not valid CEL: expression is nested',
    ],
  ])('does not compile with %s', (_what, text, problem) => {
    expect(() => compileExpression(text, 'any')).toThrow(ExpressionError)
    expect(() => compileExpression(text, 'any')).toThrow(problem)
  })

  it('must have the required type, unless its type depends on the data', () => {
    expect(() => compileExpression('"text"', 'bool')).toThrow('must be of type bool, found string')
    expect(compileExpression('resource.spec', 'bool')).toBeDefined()
  })

  it.each([
    ['statuses[7].adapter', 'index out of bounds: 7'],
    ['resource.spec.region', 'no such key: region'],
  ])('fails with a message for its author: %s', (text, message) => {
    expect(() => evaluate(text)).toThrow(message)
  })
})

describe('the steps of an evaluation', () => {
  const MANY_OF_DNS = 'statuses[1].data.many'

  it.each([
    ['a nested loop', `${MANY_OF_DNS}.all(a, !${MANY_OF_DNS}.exists(b, b == a + 0.5))`],
    ['loops that swallow errors', nested('exists', 4)],
    ['loops that build lists', `${MANY_OF_DNS}.exists(a, ${MANY_OF_DNS}.map(b, b)[0] == 7.5)`],
    ['a search in a list', `${MANY_OF_DNS}.exists(a, "x" in ${MANY_OF_DNS})`],
    ['a search in a long text', `${MANY_OF_DNS}.all(a, !statuses[1].data.log.contains("y"))`],
    [
      'a long text in parts',
      'statuses[1].data.log.split("").join("") + statuses[1].data.log.trim()',
    ],
  ])('are limited: %s', (_what, text) => {
    expect(() => evaluate(text)).toThrow('the expression takes more than 200000 steps')
  })

  it('are enough for all conditions of many adapters', () => {
    const conditions = Array.from({ length: 50 }, (_, index) => ({ type: `C${index}` }))
    const statuses = Array.from({ length: 100 }, (_, index) => ({
      adapter: `a${index}`,
      conditions,
    }))
    const expression = compileExpression(
      'statuses.all(s, s.conditions.exists(c, c.type == "C49"))',
      'bool',
    )
    expect(expression.evaluate({ ...VARIABLES, statuses: mappingValueOf(statuses) })).toBe(true)
  })

  it('are counted from 0 in each evaluation', () => {
    const expression = compileExpression(`${MANY_OF_DNS}.all(a, a >= 0.0)`, 'bool')
    for (let round = 0; round < 5; round += 1) expect(expression.evaluate(VARIABLES)).toBe(true)
  })

  function nested(macro: string, depth: number): string {
    return depth === 0 ? 'false' : `${MANY_OF_DNS}.${macro}(x${depth}, ${nested(macro, depth - 1)})`
  }
})
