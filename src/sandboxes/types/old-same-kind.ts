import type { NativeDeclaration } from 'flotilla/planes/native'
import { OLD_EXTENSIONS_DEFINITIONS, OLD_VERSION } from './sandbox-groups.ts'

type Shape = Pick<NativeDeclaration, 'properties' | 'required' | 'printerColumns' | 'scale'>

/** A kind whose v1alpha1 differs only in its name. */
export function oldSameKind(shape: Shape): NonNullable<NativeDeclaration['oldVersion']> {
  return { ...shape, version: OLD_VERSION, definitions: OLD_EXTENSIONS_DEFINITIONS }
}
