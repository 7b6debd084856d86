import {
  COLLECTIONS,
  createLanguage as createCel,
  type Language,
  STANDARD,
} from '../../lib/cel/language.ts'
import { PATTERNS } from '../../lib/cel/functions/patterns.ts'
import type { Type } from '../../lib/cel/types/type.ts'
import { ADDRESSES } from './functions/addresses.ts'
import { AUTHORIZATION } from './functions/authorizer.ts'
import { NAMED_FORMATS } from './functions/formats.ts'
import { QUANTITIES } from './functions/quantities.ts'
import { SEMANTIC_VERSIONS } from './functions/semantic-versions.ts'
import { URLS } from './functions/urls.ts'

const FUNCTIONS = [
  ...STANDARD,
  ...COLLECTIONS,
  ...PATTERNS,
  ...ADDRESSES,
  ...AUTHORIZATION,
  ...NAMED_FORMATS,
  ...QUANTITIES,
  ...SEMANTIC_VERSIONS,
  ...URLS,
]

/** CEL with Kubernetes' libraries and variables by name. */
export function createLanguage(variables: Readonly<Record<string, Type | string>>): Language {
  return createCel({ functions: FUNCTIONS, variables })
}
