import { describe, expect, it } from 'vitest'
import { rulesPage } from './rules-page.ts'

const TOPICS = { Reads: { R1: 'The first rule.', R2: 'The second rule.' } }

const page = (...files: readonly (readonly [string, string])[]) => rulesPage(TOPICS, new Map(files))

describe('the page of rules', () => {
  it('links each rule to the tests whose titles begin with it', () => {
    const text = page(
      ['test/b.test.ts', "it('R1, R2: reads', f)\nit('R2: writes', f)"],
      ['src/a.property.test.ts', '])(`R2: reads ${x}`, f)'],
      ['test/mention.ts', '/** R1 and R2. */'],
    )
    expect(text).toContain('## Reads\n\n- **R1.** The first rule. Tests: [b](../test/b.test.ts).\n')
    expect(text).toContain(
      '- **R2.** The second rule. Tests: [a](../src/a.property.test.ts), [b](../test/b.test.ts).\n',
    )
  })

  it('cannot be generated if a file cites an unknown rule', () => {
    expect(() => page(['test/a.test.ts', "it('R1: a', f)\nit('R3: b', f)"])).toThrow(
      'test/a.test.ts cites R3, which is not in rules.ts',
    )
  })

  it('cannot be generated if no test cites a rule', () => {
    expect(() => page(['test/a.test.ts', "it('R1: a', f) // R2"])).toThrow(
      "no test cites R2: begin a title with 'R2: '",
    )
  })
})
