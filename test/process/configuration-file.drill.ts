import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { loadKindsFile } from '../../src/hyperfleet/configured-kinds/load-kinds-file.ts'
import { kinds as builtIn } from '../../src/hyperfleet/kinds/index.ts'
import { conditionsOf, report } from '../support/fixtures.ts'
import { startProgram } from './program.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { startTestServer } from '../support/test-server.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }

const REGION = `
entities:
  - kind: Region
    plural: regions
    spec_schema: { type: object, properties: { size: { type: integer, default: 3 } } }
`

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-configuration-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function write(name: string, text: string): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, text)
  return file
}

test('OPENAPI_SCHEMA_PATH replaces the schema of a configured kind', async () => {
  const file = await write(
    'openapi.yaml',
    `openapi: 3.1.0
info: { title: Specs, version: '1' }
paths: {}
components: { schemas: { RegionSpec: { type: object, required: [other] } } }`,
  )
  const kinds = await loadKindsFile(await write('region.yaml', REGION), builtIn)
  await using server = await startTestServer({ kinds, env: { OPENAPI_SCHEMA_PATH: file } })
  const { body } = await server.post('/regions', {
    kind: 'Region',
    name: 'north',
    spec: { zone: 'a' },
  })
  expect(body.errors).toMatchObject([{ field: 'spec.other' }])
})

test('the defaults of a schema fill in missing fields of a request', async () => {
  await using server = await startTestServer({
    kinds: await loadKindsFile(await write('region.yaml', REGION), builtIn),
  })
  const { body } = await server.post('/regions', { kind: 'Region', name: 'north', spec: {} })
  expect(body.spec).toEqual({ size: 3 })
  expect((await server.get(body.href)).body.spec).toEqual({ size: 3 })
})

test('doctor knows the settings of configured kinds', async () => {
  await using program = startProgram(
    {
      DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
      FLOTILLA_CONFIG: await write('region.yaml', REGION),
      HYPERFLEET_REGION_ADAPTER: '[]',
    },
    ['doctor'],
  )
  await program.exited
  expect(program.output()).toContain('did you mean HYPERFLEET_REGION_ADAPTERS?')
})

describe('the server with FLOTILLA_CONFIG', () => {
  test('serves the kinds of the file, with required adapters of the environment taking precedence', async () => {
    const file = await write(
      'served.yaml',
      `entities:
  - { kind: Region, plural: regions, required_adapters: [validator] }
  - { kind: Cluster, required_adapters: [validator] }`,
    )
    await using database = await createTestDatabase()
    await using program = startProgram({
      DATABASE_URL: database.url,
      FLOTILLA_CONFIG: file,
      HYPERFLEET_REGION_ADAPTERS: '["other"]',
    })
    const { port } = await program.ready()
    const api = async (below: string, body?: object) => {
      const init = body && { method: 'POST', body: JSON.stringify(body), headers: JSON_TYPE }
      const response = await fetch(`http://127.0.0.1:${port}${BASE_PATH}${below}`, init)
      return JSON.parse(await response.text())
    }
    const readyAfter = async (kind: string, collection: string, adapter: string) => {
      const { id } = await api(collection, { kind, name: 'north', spec: {} })
      await api(`${collection}/${id}/statuses`, report(adapter))
      return conditionsOf(await api(`${collection}/${id}`)).get('Ready')?.status
    }
    expect(await readyAfter('Region', '/regions', 'other')).toBe('True')
    expect(await readyAfter('Cluster', '/clusters', 'validator')).toBe('True')
  })

  test('lists all problems of the file with their lines, and of the settings, and exits', async () => {
    const file = await write(
      'bad.yaml',
      `entities:
  - kind: Region
    plurl: regions
  - kind: Channel
    plural: clusters
    parent_kind: Regio
    name: { max_length: 500 }
    spec_schema: nowhere.yaml`,
    )
    const program = startProgram({ FLOTILLA_CONFIG: file, LOG_LEVEL: 'loud' })
    expect(await program.exited).toBe(1)
    expect(program.output()).toBe('')
    expect(program.errors().split('\n')).toEqual([
      'FLOTILLA_CONFIG names an invalid file:',
      `${file}:2: Region: plural is missing: add the path segment of the collection`,
      `${file}:3: Region: plurl is not a field here: did you mean plural?`,
      `${file}:5: Channel: plural 'clusters' is the plural of Cluster: choose another`,
      `${file}:6: Channel: parent_kind 'Regio' is not a kind: did you mean Region?`,
      `${file}:7: Channel: name.max_length must be from the least length, 3, to 253, found 500`,
      expect.stringMatching(
        /:8: Channel: spec_schema names an invalid file: .*nowhere\.yaml: cannot be read/,
      ),
      'invalid settings:',
      expect.stringContaining('  - LOG_LEVEL: expected one of trace, debug'),
      '',
    ])
  })

  test('prints the settings of its kinds with --help, even if the file is invalid', async () => {
    const good = await write('good.yaml', 'entities: [{ kind: Region, plural: regions }]')
    const help = startProgram({ FLOTILLA_CONFIG: good }, ['--help'])
    expect(await help.exited).toBe(0)
    expect(help.output()).toContain('HYPERFLEET_REGION_ADAPTERS')
    const missing = startProgram({ FLOTILLA_CONFIG: '/nowhere.yaml' }, ['--help'])
    expect(await missing.exited).toBe(1)
    expect(missing.output()).toContain('HYPERFLEET_CLUSTER_ADAPTERS')
    expect(missing.errors()).toContain('/nowhere.yaml: cannot be read')
  })
})

describe('the documentation', () => {
  let page = ''
  beforeAll(async () => {
    page = await readFile(new URL('../../docs/configured-kinds.md', import.meta.url), 'utf8')
    const examples = page.matchAll(/`([\w-]+\.yaml)`[^`]*?:\n\n```yaml\n(.*?)^```$/gms)
    for (const [, name = '', text = ''] of examples) await write(name, text)
  })

  /** The lines of a table or a listing of the page. */
  function linesOf(pattern: RegExp): readonly string[] {
    const found = page.match(pattern) ?? []
    expect(found.length).toBeGreaterThan(2)
    return found
  }

  test('has an example that works as documented', async () => {
    const kinds = await loadKindsFile(path.join(folder, 'fleet.yaml'), builtIn)
    expect(kinds.map(({ kind }) => kind)).toEqual([
      'Cluster',
      'NodePool',
      'View',
      'WifConfig',
      'Channel',
      'Release',
    ])
    await using server = await startTestServer({ kinds })
    const { body } = await server.get('/openapi')
    await SwaggerParser.validate(JSON.parse(JSON.stringify(body)))
    for (const template of linesOf(/(?<=^\|.*`)\/[^`]+/gm)) {
      expect(Object.keys(body.paths)).toContain(template)
    }
  })

  test('states the actual defaults', async () => {
    const text = 'entities: [{ kind: Channel, plural: channels, parent_kind: Cluster }]'
    const channel = (await loadKindsFile(await write('least.yaml', text), builtIn)).at(-1)
    expect(channel).toMatchObject({
      singular: 'channel',
      parent: { kind: 'Cluster', onDelete: defaultOf('on_parent_delete').replaceAll('`', '') },
      requiredAdapters: [],
      references: [],
    })
    expect(defaultOf('singular')).toBe('`kind` in lower case')
    expect(defaultOf('name')).toBe(
      `\`min_length: ${channel?.name.minLength}\`, \`max_length: ${channel?.name.maxLength}\``,
    )
    expect(defaultOf('messages')).toBe(
      `\`available: ${channel?.messages.available}\`, \`ready: ${channel?.messages.ready}\``,
    )
    for (const member of ['required_adapters', 'references']) expect(defaultOf(member)).toBe('none')
  })

  test('describes resources of a kind that is no longer declared', async () => {
    await using database = await createTestDatabase()
    const { url: databaseUrl } = database
    const text = 'entities: [{ kind: Channel, plural: channels, parent_kind: Cluster }]'
    const kinds = await loadKindsFile(await write('channel.yaml', text), builtIn)
    const paths = { cluster: '', channel: '' }
    {
      await using server = await startTestServer({ kinds, databaseUrl })
      const sent = (kind: string) => ({ kind, name: 'first', spec: {} })
      paths.cluster = `/clusters/${(await server.post('/clusters', sent('Cluster'))).body.id}`
      const created = await server.post(`${paths.cluster}/channels`, sent('Channel'))
      paths.channel = `/channels/${created.body.id}`
    }
    {
      await using server = await startTestServer({ databaseUrl })
      expect((await server.get(paths.channel)).status).toBe(404)
      expect((await server.request('DELETE', paths.cluster)).status).toBe(409)
    }
    await using server = await startTestServer({ kinds, databaseUrl })
    expect((await server.get(paths.channel)).status).toBe(200)
  })

  /** The default of a field in the table of the page. */
  function defaultOf(member: string): string {
    const cells = new RegExp(`^\\| \`${member}\` .*$`, 'm').exec(page)?.[0].split(' | ') ?? []
    return (cells[2] ?? '').trim()
  }

  test('has an example with the documented problems', async () => {
    const failure: unknown = await loadKindsFile(path.join(folder, 'bad.yaml'), builtIn).catch(
      (error: unknown) => error,
    )
    expect(String(failure).replaceAll(`${folder}/`, '').split('\n').slice(1)).toEqual(
      linesOf(/^bad\.yaml:.*$/gm),
    )
  })
})
