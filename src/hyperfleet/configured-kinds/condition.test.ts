import { afterAll, describe, expect, it } from 'vitest'
import { newFolder } from './fixtures.ts'

const folder = await newFolder()
const { load, problemsOf } = folder
afterAll(() => folder[Symbol.asyncDispose]())

const OUTPUT = `{ status: { expression: 'true' }, reason: { expression: '"r"' }, message: { expression: '"m"' } }`

describe('conditions mapped by CEL in the configuration file', () => {
  it('are rules of the kind, of a built-in one too', async () => {
    const rule = `[{ type: Open, when: { expression: 'size(statuses) > 0' }, output: ${OUTPUT} }]`
    const kinds = await load(`entities:
  - { kind: Fleet, conditions: ${rule} }
  - { kind: Thing, plural: things, conditions: ${rule} }`)
    const open = {
      type: 'Open',
      when: 'size(statuses) > 0',
      status: 'true',
      reason: '"r"',
      message: '"m"',
    }
    expect(kinds.map(({ kind, conditions }) => [kind, conditions])).toEqual([
      ['Fleet', [open]],
      ['Ship', undefined],
      ['Thing', [open]],
    ])
  })

  it('are rejected with every problem and its line', async () => {
    const problems = await problemsOf(`entities:
  - kind: Fleet
    conditions:
      - type: Ready
        when: { expression: 'nothing == 1' }
        output:
          status: { expression: '1 +' }
          reason: { expression: '' }
          message: { expresion: '"x"' }
      - type: DnsSuccessful
        when: { expression: '"text"' }
        output:
          status: { expression: 5 }
          reason:
            expression: |
              statuses.filter(s,
                s.adapter ==)[0]
          message: { expression: '"a".unknown("(a+)+b")' }
      - { type: Twice, when: { expression: 'true' }, output: ${OUTPUT} }
      - { type: Twice, when: { expression: 'true' }, output: ${OUTPUT} }
      - type: with-dashes
        when: true
      - 5`)
    const at = 'Fleet: conditions'
    expect(problems).toEqual([
      `fleet.yaml:4: ${at}[0].type 'Ready' is a condition of the server: choose another`,
      `fleet.yaml:5: ${at}[0].when.expression is not valid CEL: undeclared reference to 'nothing' (in container '') (line 1, column 1 of the expression)`,
      `fleet.yaml:7: ${at}[0].output.status.expression is not valid CEL: Syntax error: unexpected '<EOF>' (line 1, column 4 of the expression)`,
      `fleet.yaml:8: ${at}[0].output.reason.expression must be a CEL expression, found nothing`,
      `fleet.yaml:9: ${at}[0].output.message.expresion is not a field here: did you mean expression?`,
      `fleet.yaml:9: ${at}[0].output.message.expression is missing: add it`,
      `fleet.yaml:10: ${at}[1].type 'DnsSuccessful' ends with Successful, as the conditions of adapters do: choose another`,
      `fleet.yaml:11: ${at}[1].when.expression must be of type bool, found string`,
      `fleet.yaml:13: ${at}[1].output.status.expression must be text, found 5`,
      `fleet.yaml:15: ${at}[1].output.reason.expression is not valid CEL: Syntax error: unexpected ')' (line 2, column 15 of the expression)`,
      `fleet.yaml:18: ${at}[1].output.message.expression is not valid CEL: undeclared reference to 'unknown' (in container '') (line 1, column 12 of the expression)`,
      `fleet.yaml:20: ${at}[3].type 'Twice' is declared twice: choose another`,
      `fleet.yaml:21: ${at}[4].output is missing: add it`,
      expect.stringMatching(/^fleet\.yaml:21: .*\[4\]\.type must be a letter, .* 'with-dashes'$/),
      `fleet.yaml:22: ${at}[4].when must be an object with expression, found true`,
      `fleet.yaml:23: ${at}[5] must be an object with type, when, output, found 5`,
    ])
  })

  it('are at most twenty of a kind', async () => {
    const rules = Array.from({ length: 21 }, (_, index) => {
      return `\n      - { type: T${index}, when: { expression: 'true' }, output: ${OUTPUT} }`
    })
    const problems = await problemsOf(
      `entities:\n  - kind: Fleet\n    conditions:${rules.join('')}`,
    )
    expect(problems).toEqual([
      'fleet.yaml:3: Fleet: conditions has 21 rules: at most 20 are possible',
    ])
  })
})
