import type { FOUNDATION_SETTINGS, FoundationDerived } from '../capability/foundation-settings.ts'
import type { ValuesOf } from '../lib/settings/read-settings.ts'
import type { CAPABILITIES } from './capabilities.ts'

type Listed = (typeof CAPABILITIES)[number]
type Derived<C> = C extends { derive?(...values: never): infer Values } ? Values : never
type All<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer Intersection,
) => void
  ? Intersection
  : never

/** The rows of the foundation and of all capabilities. */
export type SettingRows = typeof FOUNDATION_SETTINGS & All<Listed['settings']>

/** The values of the settings by name. */
type SettingValues = ValuesOf<SettingRows>

/** Values that follow from settings, or are the same on every server. */
export type DerivedValues = FoundationDerived & All<Derived<Listed>>

/** The settings of one server. */
export type Config = SettingValues &
  DerivedValues & {
    /** Required adapters by kind. */
    readonly requiredAdapters: ReadonlyMap<string, readonly string[]>
  }
