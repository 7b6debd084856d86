import { Option } from 'commander'
import { seconds } from './global-options.ts'

/** The option that limits a wait. The default is a duration such as `5m`. */
export function timeoutOption(byDefault: string, description = 'how long to wait'): Option {
  return new Option('--timeout <seconds>', description)
    .argParser(seconds)
    .default(seconds(byDefault), byDefault)
}
