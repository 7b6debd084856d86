import type { Terminal } from '../output/terminal.ts'
import { visibleText } from '../output/visible-text.ts'

/** A titled document. */
export function yamlLines(title: string, yaml: string, { colors }: Terminal): readonly string[] {
  const lines = visibleText(yaml.trimEnd(), 'keep lines').split('\n')
  return [colors.bold(`${title}:`), ...lines.map((line) => `  ${line}`)]
}
