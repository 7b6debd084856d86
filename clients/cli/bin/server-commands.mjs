/** Commands that run in the server's program. */
export const SERVER_COMMANDS = [
  'start',
  'migrate',
  'sandboxd',
  'backup',
  'restore',
  'import',
  'export',
  'doctor',
  'shards',
]

/**
 * Whether arguments begin with a command of the server's program. `sandbox images` works on the
 * machine of a runtime.
 * @param {readonly string[]} words
 */
export function isServerCommand([first = '', second = '']) {
  return SERVER_COMMANDS.includes(first) || (first === 'sandbox' && second === 'images')
}
