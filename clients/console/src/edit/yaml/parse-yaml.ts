import { type Document, isMap, isScalar, parseDocument, visit } from 'yaml'
import type { TextRange } from './text-range.ts'

/** A problem at a place in the text. */
export interface YamlProblem extends TextRange {
  readonly message: string
  readonly severity: 'error' | 'warning'
}

export type JsonObject = Readonly<Record<string, unknown>>

/** The content of a YAML text. `value` is null if the text has errors. */
export interface ParsedYaml {
  readonly document: Document
  readonly value: JsonObject | null
  readonly problems: readonly YamlProblem[]
}

/** Parses one YAML object that can be sent as JSON. */
export function parseYaml(text: string): ParsedYaml {
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' })
  const problems: YamlProblem[] = [
    ...document.errors.map(({ message, pos: [from, to] }) => problem(sentence(message), from, to)),
    ...(document.errors.length > 0 ? [] : contentProblems(document, text)),
  ]
  if (problems.length > 0) return { document, value: null, problems }
  return withValue(document, text)
}

function contentProblems(document: Document, text: string): YamlProblem[] {
  if (!isMap(document.contents)) {
    return [problem('The text must be an object: write fields as `key: value`.', 0, text.length)]
  }
  const problems: YamlProblem[] = []
  visit(document, {
    Scalar: (_, { value, range, source }) => {
      const message = typeof value === 'number' ? numberProblem(value, source ?? '') : null
      if (message !== null) problems.push(problem(message, range?.[0] ?? 0, range?.[1] ?? 0))
    },
    Pair: (_, { key }) => {
      if (isScalar(key)) return
      problems.push(problem('Keys must be text.', 0, 0))
    },
  })
  return problems
}

/** JSON has no infinite numbers, and a browser would round long integers silently. */
function numberProblem(value: number, source: string): string | null {
  if (!Number.isFinite(value)) return `JSON has no number ${source}.`
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return null
  return `The number ${source} has too many digits to be exact. Write it in quotes, as text.`
}

function withValue(document: Document, text: string): ParsedYaml {
  try {
    return { document, value: document.toJS({ maxAliasCount: 100 }), problems: [] }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { document, value: null, problems: [problem(sentence(message), 0, text.length)] }
  }
}

function problem(message: string, from: number, to: number): YamlProblem {
  return { from, to: Math.max(from, to), message, severity: 'error' }
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`
}
