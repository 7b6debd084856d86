import type { Isolation } from '../../instances/shim-command.ts'
import { readingMounts } from './mount-options.ts'
import { NAMESPACES } from './namespaces.ts'
import type { SystemDirectory } from '../view/system-directories.ts'

/**
 * The beginning of a command that sees these directories and the machine's programs, for reading.
 * Empty if the machine has no bubblewrap.
 */
export function readCommand(
  systemDirectories: readonly SystemDirectory[],
  { programs }: Isolation,
  directories: readonly string[],
): readonly string[] {
  if (programs.bwrap === undefined) return []
  const mounts = readingMounts(systemDirectories, directories)
  return [programs.bwrap, ...NAMESPACES, '--unshare-net', '--die-with-parent', ...mounts, '--']
}
