import { LOG_FORMATS } from '../lib/log/open-log.ts'
import { choice, type Setting, text } from './setting.ts'

/** The settings of every process of Flotilla. */
export const PROCESS_SETTINGS = {
  dataDir: text({
    env: 'DATA_DIR',
    default: '.flotilla',
    doc: 'Data directory of the embedded PostgreSQL, of the self-signed certificate and of `flotilla sandboxd`.',
  }),
  logLevel: choice({
    env: 'LOG_LEVEL',
    of: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    doc: 'Minimum level of log lines.',
  }),
  logFormat: choice({
    env: 'LOG_FORMAT',
    of: LOG_FORMATS,
    default: 'auto',
    doc: 'Format of log lines: `json` or `pretty` (for people). `auto` is pretty on a terminal and JSON elsewhere.',
  }),
} as const satisfies Record<string, Setting<unknown>>
