import { expect, it } from 'vitest'
import { serverProgram } from './server-program.ts'
import { createTestDatabase, serverNames } from './test-database.ts'

it('a file of the unit project cannot use a database', async () => {
  const message = 'unit tests have no database: move the file to a folder of test/'
  expect(serverNames).toThrow(message)
  await expect(createTestDatabase()).rejects.toThrow(message)
})

it('a file of the unit project cannot start the server', () => {
  expect(serverProgram).toThrow('unit tests have no server: move the file to a folder of test/')
})
