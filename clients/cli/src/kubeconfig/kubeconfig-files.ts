import os from 'node:os'
import path from 'node:path'

/** The files that kubectl reads, in their order of precedence. */
export function kubeconfigFiles({ KUBECONFIG = '', HOME }: NodeJS.ProcessEnv): readonly string[] {
  const files = KUBECONFIG.split(path.delimiter).filter((file) => file !== '')
  return files.length > 0 ? files : [path.join(HOME ?? os.homedir(), '.kube', 'config')]
}
