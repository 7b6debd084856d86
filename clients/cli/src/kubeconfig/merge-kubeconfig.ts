import { type Document, isMap, isSeq, parseDocument, YAMLSeq } from 'yaml'
import { CliError } from '../errors/cli-error.ts'
import { type KubeconfigEntry, kubeconfigParts } from './kubeconfig-entry.ts'

/**
 * Adds an entry to the text of a kubeconfig file, or replaces the one with this name, and selects it.
 * Everything else in the file stays, with its comments.
 */
export function mergeKubeconfig(text: string, entry: KubeconfigEntry): string {
  const document = parseKubeconfig(text)
  if (!isMap(document.contents)) document.contents = document.createNode({})
  if (!document.has('apiVersion')) document.set('apiVersion', 'v1')
  if (!document.has('kind')) document.set('kind', 'Config')
  for (const [list, part] of Object.entries(kubeconfigParts(entry))) setNamed(document, list, part)
  document.set('current-context', entry.name)
  return document.toString({ lineWidth: 0 })
}

/** Parses a kubeconfig file. Rejects a text that kubectl would not read either. */
export function parseKubeconfig(text: string): Document {
  const document: Document = parseDocument(text)
  const [error] = document.errors
  if (error === undefined && (document.contents === null || isMap(document.contents)))
    return document
  throw new CliError(
    `the kubeconfig is not valid YAML: ${error?.message ?? 'it is not a mapping'}`,
    {
      hint: 'Correct the file, or set KUBECONFIG to another one.',
      cause: error,
    },
  )
}

function setNamed(document: Document, list: string, part: { readonly name: string }): void {
  const existing: unknown = document.get(list)
  const items = isSeq(existing) ? existing : new YAMLSeq()
  // A list in flow style, such as the `[]` that kubectl writes, would grow on one line.
  items.flow = false
  if (items !== existing) document.set(list, items)
  const index = items.items.findIndex((item) => isMap(item) && item.get('name') === part.name)
  const node = document.createNode(part)
  if (index === -1) items.add(node)
  else items.set(index, node)
}
