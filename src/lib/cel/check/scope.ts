import type { Functions } from '../functions/function.ts'
import type { Type } from '../types/type.ts'

/** A type whose values expressions can create. */
export interface Creatable {
  readonly type: Type
  /** Null if there is no such field. */
  readonly fieldType: (name: string) => Type | null
}

export type StructOf = (name: string) => Creatable | null

/** The names that an expression can use. */
export interface Declared {
  readonly variables: ReadonlyMap<string, Type>
  readonly functions: Functions
  /** Names of types, such as `int` in `type(x) == int`. */
  readonly types: ReadonlyMap<string, Type>
  /** The types that expressions can create, such as `Object.spec{...}`; null for other names. */
  readonly structOf: StructOf
  /** Whether items of a literal list or map must have one type. */
  readonly isHomogeneous: boolean
}

/** The variables of loops around a node, innermost last. */
export class Scope {
  readonly #variables: Map<string, Type>[] = []

  inside<Result>(variables: readonly (readonly [string, Type])[], run: () => Result): Result {
    this.#variables.push(new Map(variables))
    const result = run()
    this.#variables.pop()
    return result
  }

  find(name: string): Type | undefined {
    return this.#variables.findLast((level) => level.has(name))?.get(name)
  }
}
