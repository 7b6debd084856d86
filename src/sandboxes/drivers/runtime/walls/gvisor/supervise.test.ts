import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fileExists } from 'flotilla/programs'
import { BUSY, checkpointCommand } from '../../../gvisor/checkpoint-script.ts'
import { superviseCommand } from './supervise.ts'

/**
 * A stand-in for runsc, so that a test decides when a container ends and which commands fail.
 * Containers run until `end` contains their exit status.
 */
const RUNSC = `
cd "$0"
for option; do
  case $option in
    --pid-file=*) pid_file=\${option#*=} ;;
    --image-path=*) image=\${option#*=} ;;
    run|restore|state|delete|checkpoint) command=$option ;;
  esac
done
[ "$command" = state ] && { [ -e running ] && echo '"status": "running"'; exit; }
echo "$command" >>calls
case $command in
  restore) cat "$image/memory"; rm failures/1 || rm failures/2 || rm failures/3 || failed=no ;;
  checkpoint) echo memory >"$image/memory"; exit "$(cat checkpoint-status)" ;;
esac 2>/dev/null
[ "$command" = delete ] && exit
[ "$command" = restore ] && [ -z "$failed" ] && exit 128
echo 1 >"$pid_file"
touch running
until [ -s end ]; do sleep 0.01; done
code=$(cat end)
rm end running
exit "$code"
`

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'supervise-'))
  await mkdir(path.join(directory, 'failures'))
})
afterEach(() => rm(directory, { recursive: true }))

const file = (name: string) => path.join(directory, name)
const runsc = () => ['/bin/sh', '-c', RUNSC, directory]
const calls = async () => (await readFile(file('calls'), 'utf8')).trim().split('\n')

function supervise(action: 'run' | 'restore') {
  const [program = '', ...parameters] = superviseCommand({
    directory,
    pidFile: file('pid'),
    lostFile: file('lost'),
    containerId: 'container',
    action,
    images: action === 'run' ? '' : file('images'),
    network: null,
    runsc: runsc(),
  })
  const child = spawn(program, parameters, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] })
  return once(child, 'exit').then(([code]) => code)
}

async function checkpoint(status: number, runtimePid = 0): Promise<number> {
  await writeFile(file('checkpoint-status'), `${status}`)
  const [program = '', ...parameters] = checkpointCommand({
    directory,
    containerId: 'container',
    freezeFile: file('freeze'),
    runtimePid,
    runsc: runsc(),
  })
  const [code] = await once(spawn(program, parameters, { stdio: 'ignore' }), 'exit')
  return code
}

async function until(isReached: () => Promise<boolean>): Promise<void> {
  while (!(await isReached())) await sleep(5)
}

/** Ends the container with a status, as runsc does after it has written the memory. */
const end = (status: number) => writeFile(file('end'), `${status}`)
const isRunning = () => fileExists(file('running'))
const hasEnded = async () => !(await isRunning())

async function failRestores(count: number): Promise<void> {
  for (let each = 1; each <= count; each += 1) await writeFile(file(`failures/${each}`), '')
}

it.each([
  { of: 'that succeeded', status: 0 },
  { of: 'whose command failed after the memory was written', status: 128 },
  { of: 'whose command was killed', status: 137 },
])('continues from the memory of a checkpoint $of', async ({ status }) => {
  const exit = supervise('run')
  await until(isRunning)
  expect(await checkpoint(status)).toBe(status === 0 ? 0 : 1)
  await end(0)
  await until(async () => (await calls()).includes('restore') && (await isRunning()))
  await end(7)
  expect(await exit).toBe(7)
  expect(await calls()).toEqual(['run', 'checkpoint', 'delete', 'restore'])
  expect(await fileExists(file('lost'))).toBe(false)
})

it('restores again if runsc fails', async () => {
  await failRestores(2)
  const exit = supervise('run')
  await until(isRunning)
  await checkpoint(0)
  await end(0)
  await until(async () => (await hasEnded()) || (await calls()).includes('restore'))
  await until(isRunning)
  await end(7)
  expect(await exit).toBe(7)
  expect((await calls()).filter((call) => call === 'restore')).toHaveLength(3)
})

it('reports memory of a checkpoint that cannot be restored', async () => {
  await failRestores(3)
  const exit = supervise('run')
  await until(isRunning)
  await checkpoint(0)
  await end(0)
  expect(await exit).toBe(125)
  expect(await fileExists(file('lost'))).toBe(true)
})

it('keeps the images of a snapshot, and has no pid, if a start cannot restore them', async () => {
  await failRestores(3)
  await mkdir(file('images'))
  await mkdir(file('restoring/image'), { recursive: true })
  expect(await supervise('restore')).toBe(125)
  expect(await fileExists(file('images'))).toBe(true)
  expect(await fileExists(file('pid'))).toBe(false)
  expect(await fileExists(file('lost'))).toBe(false)
})

it('reports the status of processes that ended before a checkpoint wrote anything', async () => {
  const exit = supervise('run')
  await until(isRunning)
  await mkdir(file('checkpoint/partial.1'), { recursive: true })
  await writeFile(file('checkpoint/partial.1/memory'), '')
  await end(7)
  expect(await exit).toBe(7)
})

it('writes no second checkpoint while the runtime of the first one works with it', async () => {
  expect(await checkpoint(0, process.pid)).toBe(0)
  expect(await checkpoint(0)).toBe(BUSY)
  expect(await calls()).toEqual(['checkpoint'])
})
