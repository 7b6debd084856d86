import type { Workload } from '../../generated/proto/snapshot_driver_pb.ts'

/** `$$(NAME)` is an escaped reference, `$(NAME)` a reference. */
const REFERENCE = /\$\$\(|\$\(([A-Za-z_][A-Za-z0-9_]*)\)/g

/** The command with its arguments. References such as `$(NAME)` get the values of variables, as in a pod. */
export function workloadCommand(
  { command, args }: Pick<Workload, 'args' | 'command'>,
  environment: ReadonlyMap<string, string>,
): readonly string[] {
  return [...command, ...args].map((text) =>
    text.replaceAll(REFERENCE, (reference: string, name: string | undefined) => {
      if (name === undefined) return '$('
      return environment.get(name) ?? reference
    }),
  )
}
