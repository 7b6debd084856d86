import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { readDirectory, readExecOutput, shellCommand } from './shell-command.ts'

const marker = 'c0ffee'

function run(line: string, directory = '') {
  const [file = '', ...args] = shellCommand({ line, directory, marker })
  const { stdout, stderr, status } = spawnSync(file, args, { encoding: 'utf8' })
  return { stdout, status, ...readDirectory(stderr, marker) }
}

it('keeps the directory from line to line', () => {
  const temporary = realpathSync(tmpdir())
  expect(run(`cd ${temporary}`)).toMatchObject({ status: 0, directory: temporary, text: '' })
  expect(run('pwd', temporary).stdout).toBe(`${temporary}\n`)
})

it('keeps exit codes, output and quotes of a line', () => {
  expect(run(`echo "it's"; echo no >&2; exit 3`)).toMatchObject({
    stdout: `it's\n`,
    text: 'no\n',
    status: 3,
  })
})

it('runs lines after the directory was removed', () => {
  expect(run('echo still here', '/no/such/directory').stdout).toBe('still here\n')
})

it('reports syntax errors', () => {
  const { status, text } = run('echo "')
  expect(status).not.toBe(0)
  expect(text).not.toBe('')
})

it('reads output, exit codes and errors, and ignores other lines', () => {
  expect(readExecOutput({ stream: 'stdout', data: btoa('hi') })).toMatchObject({
    type: 'output',
    data: new TextEncoder().encode('hi'),
  })
  expect(readExecOutput({ exitCode: 3 })).toEqual({ type: 'exit', code: 3 })
  expect(readExecOutput({ error: { message: 'gone' } })).toEqual({ type: 'error', message: 'gone' })
  expect(readExecOutput({ other: 1 })).toBeNull()
})
