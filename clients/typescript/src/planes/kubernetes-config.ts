/* oxlint-disable typescript/consistent-type-imports -- declarations keep the comment of this form only */

/** @ts-ignore The package is optional: without it, the type is `any`. */
export type KubeConfig = import('@kubernetes/client-node').KubeConfig

/** Loads the official Kubernetes client, an optional dependency, with a kubeconfig. */
export async function kubernetesConfig(kubeconfig: string): Promise<KubeConfig> {
  const module = await import('@kubernetes/client-node').catch((cause: unknown) => {
    throw new Error('kubernetes() needs the package @kubernetes/client-node: install it', { cause })
  })
  const config = new module.KubeConfig()
  config.loadFromString(kubeconfig)
  return config
}
