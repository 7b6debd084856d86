/** A name of an entry point, and the module that declares it. */
export interface ExportedName {
  readonly name: string
  /** Such as `lib/clock`, relative to src/. */
  readonly module: string
}

const EXPORT = /^export (?:type )?\{([^}]+)\} from '(?:\.\.\/)+([^']+)\.ts'$/gm

/** Reads the names of an entry point, which contains nothing but a comment and named exports. */
export function exportedNames(text: string): readonly ExportedName[] {
  const rest = text.replaceAll(EXPORT, '').replace(/^\/\*\*[^]*?\*\//, '')
  if (rest.trim() !== '') throw new Error(`an entry point only exports names: ${rest.trim()}`)
  return [...text.matchAll(EXPORT)].flatMap(([, names = '', module = '']) =>
    names
      .split(',')
      .map((name) => name.trim().replace(/^type /, ''))
      .filter((name) => name !== '')
      .map((name) => ({ name, module })),
  )
}
