import { CliError } from '../errors/cli-error.ts'
import { kubectlHint } from '../errors/kubectl-hint.ts'
import type { Document } from './document.ts'

/** Rejects documents with an `apiVersion`, before the command has changed anything. */
export function refusePlaneObjects(
  documents: readonly Document[],
  { kubectl, cluster }: { readonly kubectl: string; readonly cluster?: string | undefined },
): void {
  const found = documents.find(({ content }) => content['apiVersion'] !== undefined)
  if (found === undefined) return
  const { source, content } = found
  throw new CliError(`${source}: this ${String(content['kind'])} has an apiVersion`, {
    exit: 'usage',
    hint: kubectlHint(kubectl, cluster),
  })
}
