/* oxlint-disable typescript/consistent-type-imports -- declarations keep the comment of this form only */

/** @ts-ignore The package is optional: without it, the type is `any`. */
export type KubeConfig = import('@kubernetes/client-node').KubeConfig

/** Loads the official Kubernetes client, an optional dependency, with a kubeconfig. */
export async function kubernetesConfig(kubeconfig: string): Promise<KubeConfig> {
  const module = await import('@kubernetes/client-node').catch((cause: unknown) => {
    throw new Error('kubernetes() needs the package @kubernetes/client-node: install it', { cause })
  })
  // The field `browser` of package.json replaces the package with an empty module in bundles.
  const { KubeConfig: Loaded }: Partial<typeof module> = module
  if (Loaded === undefined) {
    throw new Error('kubernetes() does not work in browsers: @kubernetes/client-node needs Node')
  }
  const config = new Loaded()
  config.loadFromString(kubeconfig)
  return config
}
