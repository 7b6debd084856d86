import { isDeepStrictEqual } from 'node:util'
import { layerOverrides } from './layer-overrides.ts'

interface LintConfig {
  readonly overrides: readonly { readonly rules: Readonly<Record<string, unknown>> }[]
}

/**
 * The text of .oxlintrc.json with the overrides that the table of layers asks for: the same text
 * where it has them already.
 */
export function withLayers(text: string): string {
  const config: LintConfig = JSON.parse(text)
  const handwritten = config.overrides.filter(({ rules }) => !('no-restricted-imports' in rules))
  const overrides = [...layerOverrides(), ...handwritten]
  if (isDeepStrictEqual(config.overrides, overrides)) return text
  return `${JSON.stringify({ ...config, overrides }, null, 2)}\n`
}
