/** In place of packages that the SDK loads on demand and that browsers do not need. */
export const KubeConfig = undefined
