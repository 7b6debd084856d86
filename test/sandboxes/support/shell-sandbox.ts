/** The pod template of a sandbox that runs a shell script. */
export function shellTemplate(script: string): object {
  return {
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [{ name: 'main', command: ['/bin/sh', '-c', script] }],
    },
  }
}

/** The strategy of a sandbox that hibernates with the provider `local`. */
export const HIBERNATE = {
  type: 'Hibernate',
  hibernate: { snapshotProviderRef: { name: 'local' } },
}
