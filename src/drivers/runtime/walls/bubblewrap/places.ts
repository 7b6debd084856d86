/** The workspace, which is also the home directory. */
export const WORKSPACE = '/workspace'

/** The statements that export the variables of the workload. */
export const ENVIRONMENT_FILE = '/run/sandbox/environment'
