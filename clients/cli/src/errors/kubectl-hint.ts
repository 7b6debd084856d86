/** The plane with fleets, roles and the clusters themselves. */
const ROOT = 'root'

/** The hint for objects of planes. `command` follows the word `kubectl`. */
export function kubectlHint(command: string, cluster: string = ROOT): string {
  return `Objects of planes belong to kubectl: 'flotilla kubeconfig ${cluster} --merge', then 'kubectl ${command}'.`
}
