import { createLanguage } from '../../expressions/language.ts'

/** The variables of rules: the value and its predecessor. */
export const RULE_LANGUAGE = createLanguage({ self: 'dyn', oldSelf: 'dyn' })
