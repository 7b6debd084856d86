import type { CapturedStatement } from './capture-statements.ts'

/** A script that pgbench repeats, and the initial values of its variables. */
export interface PgbenchScript {
  readonly text: string
  readonly variables: Readonly<Record<string, string>>
}

interface Options {
  /** Lines before the statements, such as `\set n random(1, 10)`. */
  readonly setUp: readonly string[]
  /** SQL expressions that replace parameters with these values. */
  readonly replacements: ReadonlyMap<unknown, string>
}

/** Turns parameters into pgbench variables, which pgbench sends as parameters again. */
export function pgbenchScript(
  statements: readonly CapturedStatement[],
  { setUp, replacements }: Options,
): PgbenchScript {
  const variables: Record<string, string> = {}
  const expressionOf = (value: unknown, name: string): string => {
    const replacement = replacements.get(value)
    if (replacement !== undefined) return replacement
    if (value === null || value === undefined) return 'null'
    // A pgbench variable cannot be empty.
    if (value === '') return `''`
    if (Array.isArray(value)) {
      const elements = value.map((element, index) => expressionOf(element, `${name}_${index}`))
      return `array[${elements.join(', ')}]`
    }
    variables[name] = value instanceof Date ? value.toISOString() : String(value)
    return `:${name}`
  }
  const lines = statements.map(({ text, values }, index) => {
    rejectColons(text)
    const bound = text.replaceAll(/\$(\d+)/g, (_, number: string) =>
      expressionOf(values[Number(number) - 1], `s${index}_p${number}`),
    )
    return `${bound.replaceAll(/\s+/g, ' ').trim()};`
  })
  return { text: [...setUp, ...lines, ''].join('\n'), variables }
}

/** pgbench would interpret them as variables, even in literals. */
function rejectColons(text: string): void {
  const found = /(?<!:):[A-Za-z0-9_]+/.exec(text.replaceAll('::', ''))
  if (found !== null) throw new Error(`pgbench cannot run a statement with '${found[0]}'`)
}
