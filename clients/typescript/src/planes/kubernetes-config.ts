import type { KubeConfig } from '@kubernetes/client-node'

/** Loads the official Kubernetes client, an optional dependency, with a kubeconfig. */
export async function kubernetesConfig(kubeconfig: string): Promise<KubeConfig> {
  const module = await import('@kubernetes/client-node').catch((cause: unknown) => {
    throw new Error('kubernetes() needs the package @kubernetes/client-node: install it', { cause })
  })
  const config = new module.KubeConfig()
  config.loadFromString(kubeconfig)
  return config
}
