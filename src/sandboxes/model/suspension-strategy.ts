import { type JsonValue, objectOf, optionalNumber, optionalText, textOf } from 'flotilla'

/** The reference of a Hibernate strategy. */
export type HibernateReference =
  | { readonly type: 'provider'; readonly name: string }
  | { readonly type: 'claim'; readonly name: string }
  | { readonly type: 'template'; readonly name: string }
  /** The claim of this name, which is created if it is missing. */
  | { readonly type: 'default'; readonly name: typeof DEFAULT_CLAIM }

/** The claim of strategies that name no store. It has the default class. */
export const DEFAULT_CLAIM = 'default'

interface StrategyOptions {
  readonly timeoutSeconds: number
  readonly onFailure: 'KeepRunning' | 'Stop'
}

/** How a sandbox is suspended. */
export type SuspensionStrategy = StrategyOptions &
  (
    | { readonly type: 'Stop' }
    | { readonly type: 'Freeze' }
    | { readonly type: 'Hibernate'; readonly reference: HibernateReference }
  )

const DEFAULT_TIMEOUT_SECONDS = 120

/** Reads a stored strategy, which was validated when it was written. Absent: Stop. */
export function suspensionStrategyOf(value: JsonValue | undefined): SuspensionStrategy {
  const { type, hibernate, timeoutSeconds, onFailure } = objectOf(value)
  const options: StrategyOptions = {
    timeoutSeconds: optionalNumber(timeoutSeconds) ?? DEFAULT_TIMEOUT_SECONDS,
    onFailure: onFailure === 'Stop' ? 'Stop' : 'KeepRunning',
  }
  if (type === 'Hibernate') return { type, ...options, reference: referenceOf(hibernate) }
  return { type: type === 'Freeze' ? 'Freeze' : 'Stop', ...options }
}

/** The store of a Hibernate strategy. */
export function referenceOf(value: JsonValue | undefined): HibernateReference {
  const { snapshotProviderRef, snapshotClaimName, snapshotClaimTemplateName } = objectOf(value)
  const claim = optionalText(snapshotClaimName)
  if (claim !== null) return { type: 'claim', name: claim }
  const template = optionalText(snapshotClaimTemplateName)
  if (template !== null) return { type: 'template', name: template }
  const provider = textOf(objectOf(snapshotProviderRef)['name'])
  return provider === ''
    ? { type: 'default', name: DEFAULT_CLAIM }
    : { type: 'provider', name: provider }
}
