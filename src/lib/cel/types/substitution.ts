import { DYN, isSameType, listOf, mapOf, opaque, parameterAt, type Type, typeOf } from './type.ts'

/** The types of type parameters, found by comparing arguments with signatures. */
export class Substitution {
  readonly #types = new Map<string, Type>()
  /** The former values of parameters, for a return to an earlier state. */
  readonly #trail: (readonly [string, Type | undefined])[] = []

  /** Whether a value of the type can have the other type; if so, remembers what parameters are. */
  isAssignable(one: Type, other: Type): boolean {
    return this.isEachAssignable([one], [other])
  }

  /** `isAssignable` for each pair; remembers nothing unless all pairs are assignable. */
  isEachAssignable(ones: readonly Type[], others: readonly Type[]): boolean {
    const mark = this.#trail.length
    if (this.#areAssignable(ones, others)) return true
    while (this.#trail.length > mark) {
      const [name, type] = this.#trail.pop() ?? ['', undefined]
      if (type) this.#types.set(name, type)
      else this.#types.delete(name)
    }
    return false
  }

  /** The type with its parameters replaced; unknown ones stay, or become `dyn`. */
  apply(type: Type, parametersAreDynamic = false): Type {
    const found = type.kind === 'param' ? this.#types.get(type.name) : undefined
    if (found) return this.apply(found, parametersAreDynamic)
    if (type.kind === 'param') return parametersAreDynamic ? DYN : type
    if (type.parameters.length === 0) return type
    const parameters = type.parameters.map((item) => this.apply(item, parametersAreDynamic))
    return withParameters(type, parameters)
  }

  #areAssignable(ones: readonly Type[], others: readonly Type[]): boolean {
    return (
      ones.length === others.length &&
      ones.every((one, index) => this.#isAssignable(one, others[index] ?? DYN))
    )
  }

  #isAssignable(one: Type, other: Type): boolean {
    if (other.kind === 'param') {
      const outcome = this.#bind(one, other)
      if (outcome !== 'impossible') return outcome === 'bound'
    }
    if (one.kind === 'param') return this.#bind(other, one) === 'bound'
    if (isDynamic(one) || isDynamic(other)) return true
    if (one.kind === 'null_type') return isNullable(other)
    if (other.kind === 'null_type') return isNullable(one)
    if (one.kind !== other.kind) return false
    if (one.kind === 'type') return true
    return one.name === other.name && this.#areAssignable(one.parameters, other.parameters)
  }

  /** `impossible` if the parameter stands for nothing yet and would contain itself. */
  #bind(type: Type, param: Type): 'bound' | 'conflict' | 'impossible' {
    if (isSameType(type, param)) return 'bound'
    const bound = this.#types.get(param.name)
    if (bound) {
      if (isSameType(type, bound)) return 'bound'
      if (!this.#isAssignable(type, bound)) return 'conflict'
      const general = mostGeneral(type, bound)
      if (!this.#contains(general, param)) this.#set(param, general)
      return 'bound'
    }
    if (this.#contains(type, param)) return 'impossible'
    this.#set(param, type)
    return 'bound'
  }

  #set({ name }: Type, type: Type): void {
    this.#trail.push([name, this.#types.get(name)])
    this.#types.set(name, type)
  }

  #contains(type: Type, param: Type): boolean {
    if (isSameType(type, param)) return true
    if (type.kind === 'param') {
      const bound = this.#types.get(type.name)
      return bound !== undefined && this.#contains(bound, param)
    }
    return type.parameters.some((item) => this.#contains(item, param))
  }
}

/** The type with other parameters. */
export function withParameters(type: Type, parameters: readonly Type[]): Type {
  switch (type.kind) {
    case 'list':
      return listOf(parameters[0] ?? DYN)
    case 'map':
      return mapOf(parameters[0] ?? DYN, parameters[1] ?? DYN)
    case 'type':
      return typeOf(parameters[0] ?? DYN)
    case 'opaque':
      return opaque(type.name, ...parameters)
    default:
      return type
  }
}

/** The first type if values of it include those of the second. */
export function mostGeneral(one: Type, other: Type): Type {
  return isAtLeastAsGeneral(one, other) ? one : other
}

function isAtLeastAsGeneral(one: Type, other: Type): boolean {
  if (one.kind === 'dyn' || one.kind === 'param') return true
  if (other.kind === 'dyn' || other.kind === 'param') return false
  if (one.kind !== other.kind || one.name !== other.name) return false
  if (one.kind === 'type') return true
  return (
    one.parameters.length === other.parameters.length &&
    one.parameters.every((type, index) => isAtLeastAsGeneral(type, parameterAt(other, index)))
  )
}

/** Whether the type is unknown until evaluation. */
export function isDynamic({ kind }: Type): boolean {
  return kind === 'dyn' || kind === 'error'
}

function isNullable({ kind }: Type): boolean {
  return ['null_type', 'opaque', 'struct', 'duration', 'timestamp'].includes(kind)
}
