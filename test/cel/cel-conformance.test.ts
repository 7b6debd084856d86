import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compileText, type Language, withVariables } from '../../src/lib/cel/language.ts'
import { formatType, type Type } from '../../src/lib/cel/types/type.ts'
import { errorMessage } from '../../src/lib/error-message.ts'
import { createLanguage } from '../../src/planes/expressions/language.ts'
import {
  describeValue,
  describeWire,
  typeOfWire,
  valueOfWire,
  type WireType,
  type WireValue,
} from './conformance-values.ts'
import { differenceOf, KNOWN_DIFFERENCES } from './known-differences.ts'

interface Declaration {
  readonly name: string
  readonly ident?: { readonly type?: WireType }
  readonly function?: { readonly overloads: readonly WireOverload[] }
}

interface WireOverload {
  readonly params: readonly WireType[]
  readonly resultType: WireType
}

interface Case {
  readonly id: string
  readonly expr: string
  /** Why planes have no use for the case. */
  readonly notApplicable?: string
  readonly typeEnv?: readonly Declaration[]
  readonly bindings?: Readonly<Record<string, { readonly value: WireValue }>>
  readonly value?: WireValue
  readonly typedResult?: { readonly result?: WireValue; readonly deducedType?: WireType }
  readonly evalError?: unknown
}

// The directory conformance-vectors has the program that made the vectors.
const path = new URL('../vectors/cel-conformance.json', import.meta.url)
const vectors: { readonly cases: readonly Case[] } = JSON.parse(readFileSync(path, 'utf8'))
const LANGUAGE = createLanguage({})
const applicable = vectors.cases.filter(({ notApplicable }) => notApplicable === undefined)

/** The expected outcome, in the form of `outcomeOf`. */
function expectationOf({ value, typedResult, evalError }: Case): string {
  if (evalError !== undefined) return 'an error'
  const result = typedResult ? typedResult.result : (value ?? { boolValue: true })
  const type = typedResult?.deducedType && formatType(typeOfWire(typedResult.deducedType))
  return [result && describeWire(result), type].filter((part) => part !== undefined).join(' of ')
}

/** The language with the variables and functions of a case; the functions have no implementation. */
function languageOf(declarations: readonly Declaration[]): Language {
  const variables: Record<string, Type> = {}
  const functions = new Map(LANGUAGE.functions)
  for (const { name, ident, function: declared } of declarations) {
    if (ident) variables[name] = typeOfWire(ident.type)
    const overloads = (declared?.overloads ?? []).map(({ params, resultType }) => ({
      name,
      isMember: false,
      parameters: params.map(typeOfWire),
      result: typeOfWire(resultType),
      run: () => null,
    }))
    if (declared) functions.set(name, overloads)
  }
  return { ...withVariables(LANGUAGE, variables), functions }
}

function outcomeOf({ expr, typeEnv = [], bindings = {}, typedResult, evalError }: Case): string {
  try {
    const { checked, evaluate } = compileText(languageOf(typeEnv), expr)
    const type = typedResult?.deducedType && formatType(checked.type)
    if (typedResult && !typedResult.result) return type ?? ''
    const variables = Object.entries(bindings).map(([name, { value }]) => [
      name,
      valueOfWire(value),
    ])
    const value = describeValue(evaluate(Object.fromEntries(variables), () => undefined))
    return type === undefined ? value : `${value} of ${type}`
  } catch (error) {
    return evalError === undefined ? `an error: ${errorMessage(error)}` : 'an error'
  }
}

describe("CEL's conformance vectors", () => {
  const files = new Map(applicable.map(({ id }) => [id.replace(/\/.*/, ''), 0]))

  test.each([...files.keys()])('R36: evaluates the cases of %s', (file) => {
    const failures = applicable
      .filter(({ id }) => id.startsWith(`${file}/`))
      .filter((one) => differenceOf(one) === null && outcomeOf(one) !== expectationOf(one))
      .map((one) => `${one.id}: ${one.expr}: ${outcomeOf(one)}, expected ${expectationOf(one)}`)
    expect(failures).toEqual([])
  })

  test('R36: lists only differences that exist', () => {
    const passing = applicable
      .filter((one) => differenceOf(one) !== null && outcomeOf(one) === expectationOf(one))
      .map(({ id }) => id)
    expect(passing).toEqual([])
    const known = new Set(applicable.map(differenceOf))
    expect(KNOWN_DIFFERENCES.filter((difference) => !known.has(difference))).toEqual([])
  })
})
