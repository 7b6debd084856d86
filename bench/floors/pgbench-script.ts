import type { CapturedStatement } from './captured-statement.ts'

/** What pgbench runs over and over, and the variables that it begins with. */
export interface PgbenchScript {
  readonly text: string
  readonly variables: Readonly<Record<string, string>>
}

interface Options {
  /** Lines before the statements, such as `\set n random(1, 10)`. */
  readonly setUp: readonly string[]
  /** SQL that stands for a value wherever a statement has it as a parameter. */
  readonly instead: ReadonlyMap<unknown, string>
}

/** Parameters become variables, which pgbench sends as parameters again. */
export function pgbenchScript(
  statements: readonly CapturedStatement[],
  { setUp, instead }: Options,
): PgbenchScript {
  const variables: Record<string, string> = {}
  const expressionOf = (value: unknown, name: string): string => {
    const replacement = instead.get(value)
    if (replacement !== undefined) return replacement
    if (value === null || value === undefined) return 'null'
    // pgbench has no empty variables.
    if (value === '') return `''`
    if (Array.isArray(value)) {
      const members = value.map((member, index) => expressionOf(member, `${name}_${index}`))
      return `array[${members.join(', ')}]`
    }
    variables[name] = value instanceof Date ? value.toISOString() : String(value)
    return `:${name}`
  }
  const lines = statements.map(({ text, values }, index) => {
    refuseColons(text)
    const bound = text.replaceAll(/\$(\d+)/g, (_, number: string) =>
      expressionOf(values[Number(number) - 1], `s${index}_p${number}`),
    )
    return `${bound.replaceAll(/\s+/g, ' ').trim()};`
  })
  return { text: [...setUp, ...lines, ''].join('\n'), variables }
}

/** pgbench would take them for variables, in literals too. */
function refuseColons(text: string): void {
  const found = /(?<!:):[A-Za-z0-9_]+/.exec(text.replaceAll('::', ''))
  if (found !== null) throw new Error(`pgbench cannot run a statement with '${found[0]}'`)
}
