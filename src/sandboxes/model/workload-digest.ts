import { createHash } from 'node:crypto'
import { canonicalText } from 'flotilla/planes'
import type { Workload } from './workload.ts'

/**
 * A digest of the parts of a workload that a snapshot depends on: the program and its volumes.
 * Environment, limits and policies may change between a suspension and a resume.
 */
export function workloadDigest({ command, args, workingDir, volumes }: Workload): string {
  const content = {
    command: [...command],
    args: [...args],
    workingDir,
    volumes: volumes
      .map(({ name, mountPath, ephemeral }) => ({ name, mountPath, ephemeral }))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  }
  return createHash('sha256').update(canonicalText(content)).digest('hex')
}
