import { readFile } from 'node:fs/promises'
import { parseKubeconfig } from './merge-kubeconfig.ts'
import { replaceFile } from './replace-file.ts'

/**
 * Selects a context in the first of several files that selects one: this file has precedence over the
 * one with the entry.
 */
export async function selectContext(
  files: readonly string[],
  changed: string,
  name: string,
): Promise<void> {
  for (const file of files) {
    if (file === changed) return
    const text = await readFile(file, 'utf8').catch(() => null)
    if (text === null || !parseKubeconfig(text).get('current-context')) continue
    await replaceFile(file, (current) => {
      const document = parseKubeconfig(current)
      document.set('current-context', name)
      return document.toString({ lineWidth: 0 })
    })
    return
  }
}
