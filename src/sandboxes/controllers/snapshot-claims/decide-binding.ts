import type { DecidedCondition } from 'flotilla/controllers'
import { classNameOf, type SnapshotClaim } from '../../model/backends/snapshot-claim.ts'
import { defaultClasses, type SnapshotClass } from '../../model/backends/snapshot-class.ts'
import { listNames } from './list-names.ts'

/** The result for a claim. */
export interface Binding {
  readonly condition: DecidedCondition
  /** The resolved class; empty if there is none. */
  readonly snapshotClassName: string
}

/**
 * Binds a claim to its class. A claim without a class name keeps the default class that it was
 * bound to first, so that a new default never moves existing snapshots to another store.
 */
export function decideBinding(claim: SnapshotClaim, classes: readonly SnapshotClass[]): Binding {
  const wanted = classNameOf(claim)
  if (wanted !== '') return bindTo(wanted, claim, classes)
  const defaults = defaultClasses(classes)
  const [first, second] = defaults
  if (first === undefined) {
    return unbound(pending('No default SnapshotClass exists and the claim names no class'))
  }
  if (second === undefined) return bindTo(first.name, claim, classes)
  const names = listNames(defaults.map(({ name }) => name))
  return unbound(failed(`${defaults.length} SnapshotClasses are the default: ${names}`))
}

function bindTo(name: string, claim: SnapshotClaim, classes: readonly SnapshotClass[]): Binding {
  const found = classes.find((each) => each.name === name)
  const kept = claim.binding.className === name ? name : ''
  if (found === undefined) {
    const condition = pending(`The SnapshotClass "${name}" does not exist`)
    return { condition, snapshotClassName: kept }
  }
  if (found.isDeleting && kept === '') {
    return unbound(pending(`The SnapshotClass "${name}" is being deleted`))
  }
  const locked = Object.keys(claim.parameters).filter((key) => found.lockedParameters.includes(key))
  if (locked.length > 0) {
    const message = `The SnapshotClass "${name}" locks the parameters ${listNames(locked)}`
    return { condition: failed(message), snapshotClassName: kept }
  }
  const message = `The claim is bound to the SnapshotClass "${name}"`
  const condition = { type: 'Bound', status: 'True', reason: 'Bound', message } as const
  return { condition, snapshotClassName: name }
}

function unbound(condition: DecidedCondition): Binding {
  return { condition, snapshotClassName: '' }
}

function pending(message: string): DecidedCondition {
  return { type: 'Bound', status: 'Unknown', reason: 'Pending', message }
}

function failed(message: string): DecidedCondition {
  return { type: 'Bound', status: 'False', reason: 'Failed', message }
}
