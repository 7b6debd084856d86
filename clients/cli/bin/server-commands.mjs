/** Commands that run in the server's program. */
export const SERVER_COMMANDS = [
  'start',
  'migrate',
  'sandboxd',
  'backup',
  'restore',
  'doctor',
  'shards',
]
