import type { NotApplicable } from './compare-specs.ts'

/** The specs that need what planes do not have. */
export const NOT_APPLICABLE: NotApplicable = {}
