/** The plane with fleets, roles and the clusters themselves. */
const ROOT = 'root'

/** What users write to do something with objects of planes: `command` is the rest after `kubectl`. */
export function kubectlHint(command: string, cluster: string = ROOT): string {
  return `Objects of planes belong to kubectl: 'flotilla kubeconfig ${cluster} --merge', then 'kubectl ${command}'.`
}
