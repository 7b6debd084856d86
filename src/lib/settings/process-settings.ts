import { LOG_FORMATS } from '../log/open-log.ts'
import { choice, optionalText, readChoice, retired, type Setting, text } from './setting.ts'

/** The settings of every process of Flotilla. */
export const PROCESS_SETTINGS = {
  dataDir: text({
    env: 'DATA_DIR',
    default: '.flotilla',
    doc: 'Data directory of the embedded PostgreSQL, of the self-signed certificate and of `flotilla sandboxd`.',
  }),
  settingsFile: optionalText({
    env: 'FLOTILLA_ENV_FILE',
    doc: 'File with settings, one `NAME=value` per line. Variables of the environment take precedence. SIGHUP reads it again: see docs/operate.md.',
  }),
  logLevel: choice({
    env: 'LOG_LEVEL',
    reloadable: true,
    of: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    doc: 'Minimum level of log lines.',
  }),
  logFormat: retired({
    env: 'LOG_FORMAT',
    doc: 'lines are formatted for people on a terminal, and JSON elsewhere',
    read: (value) => readChoice(value, LOG_FORMATS),
  }),
} as const satisfies Record<string, Setting<unknown>>
