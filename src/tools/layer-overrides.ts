import { LAYERS, RESTRICTED } from './layers.ts'

interface Pattern {
  readonly regex: string
  readonly message: string
  readonly allowTypeImports?: true
}

interface Override {
  readonly files: readonly string[]
  readonly rules: {
    readonly 'no-restricted-imports': readonly ['error', { readonly patterns: readonly Pattern[] }]
  }
}

/** The table of layers as overrides of .oxlintrc.json. */
export function layerOverrides(): readonly Override[] {
  return Object.entries(LAYERS).flatMap(([name, layer]) => {
    const patterns = [
      ...Object.entries(LAYERS).flatMap(([other, { files }]): Pattern[] => {
        if (other === name || includes(layer.imports, other)) return []
        const regex = specifierOf(files, layer.files)
        return includes(layer.importsTypes ?? [], other)
          ? [
              {
                regex,
                message: `${name} may import only types of ${other}`,
                allowTypeImports: true,
              },
            ]
          : [{ regex, message: `${name} may not import ${other}` }]
      }),
      ...RESTRICTED.filter(({ layers }) => !includes(layers, name)).map((restricted) => ({
        regex: restricted.pattern,
        message: `${name} may not import ${restricted.name}`,
      })),
    ]
    if (patterns.length === 0) return []
    const files = layer.files.map((file) => `src/${file}${file.endsWith('/') ? '**/*.ts' : ''}`)
    return [{ files, rules: { 'no-restricted-imports': ['error', { patterns }] } }]
  })
}

/**
 * How imports spell files of a layer. Files of src/ itself are reached by climbing out of the
 * importing folder, which tells them from files of the same name inside it.
 */
function specifierOf(files: readonly string[], importers: readonly string[]): string {
  const folders = files
    .filter((file) => file.endsWith('/'))
    .map((file) => file.replace('core/', ''))
  if (folders.length > 0) return `^(\\.\\.?/)+(core/)?(${folders.join('|')})`
  const climb = Math.min(...importers.map((importer) => importer.split('/').length - 1))
  return `^(\\.\\./){${climb},}(${files.join('|').replaceAll('.', '\\.')})$`
}

function includes(names: readonly string[], name: string): boolean {
  return names.includes(name)
}
