import type { Kind } from '../store/registry/kind.ts'
import { loadKindsFile } from '../hyperfleet/configured-kinds/load-kinds-file.ts'
import { kinds as builtInKinds } from '../hyperfleet/kinds/index.ts'
import { kindsFileOf } from './settings.ts'

/** The kinds of FLOTILLA_CONFIG, or the built-in ones. Throws a KindsFileError if it is invalid. */
export async function configuredKinds(): Promise<readonly Kind[]> {
  const file = kindsFileOf()
  return file === null ? builtInKinds : loadKindsFile(file, builtInKinds)
}
