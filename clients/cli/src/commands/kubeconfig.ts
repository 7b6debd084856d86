import type { Command } from 'commander'
import type { OpenSession } from '../program/register.ts'

/** The options of `flotilla kubeconfig`. */
export interface KubeconfigOptions {
  readonly merge?: boolean | undefined
  readonly name?: string | undefined
  readonly overwrite?: boolean | undefined
}

/** `flotilla kubeconfig CLUSTER` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('kubeconfig')
    .description("Prints a kubeconfig for a cluster's plane, or adds it to yours.")
    .argument('<cluster>', 'the name or ID of a cluster, or root for the root plane')
    .option('--merge', 'add it to $KUBECONFIG or ~/.kube/config, and select it')
    .option('--name <context>', 'the name of the context (default: flotilla-CLUSTER)')
    .option('--overwrite', 'replace an entry of this name, whatever server it has')
    .addHelpText('after', EXAMPLES)
    .action(async (cluster: string, options: KubeconfigOptions, command: Command) => {
      const session = await open(command)
      const { kubeconfig } = await import('../kubeconfig/kubeconfig.ts')
      await kubeconfig(session, cluster, options)
    })
}

const EXAMPLES = `
Examples:
  flotilla kubeconfig lisbon --merge && kubectl get namespaces
  flotilla kubeconfig lisbon > lisbon.yaml
`
