/** The environment of this process. */
export function programEnvironment(): NodeJS.ProcessEnv {
  return process.env
}
