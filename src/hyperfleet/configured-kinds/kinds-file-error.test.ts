import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { KindsFileError } from './kinds-file-error.ts'
import { newFolder } from './fixtures.ts'
import { loadKindsFile } from './load-kinds-file.ts'

const folder = await newFolder()
const { problemsOf, write } = folder
afterAll(() => folder[Symbol.asyncDispose]())

describe('an invalid file', () => {
  test('is named if it is missing', async () => {
    const failure = loadKindsFile(path.join('nowhere', 'no.yaml'), [])
    await expect(failure).rejects.toThrow(KindsFileError)
    await expect(failure).rejects.toThrow(/no\.yaml: cannot be read: ENOENT/)
  })

  test.each([
    ['a list', 'entities: [\n', 'fleet.yaml:2: is not valid YAML: Flow sequence'],
    ['a duplicate key', 'a: 1\na: 2\n', 'fleet.yaml:2: is not valid YAML: Map'],
    ['a tag', '\nentities: !env ALL\n', 'fleet.yaml:2: is not valid YAML: Unresolved'],
    ['an endless value', 'entities: &a [*a]\n', 'fleet.yaml:1: does not convert to JSON: '],
  ])('locates invalid YAML: %s', async (_what, text, problem) => {
    expect((await problemsOf(text))[0]).toContain(problem)
  })

  test.each([
    ['', 'fleet.yaml:1: the file must be an object with entities, found nothing'],
    ['- a', 'fleet.yaml:1: the file must be an object with entities, found a list'],
    ['{}', 'fleet.yaml:1: entities is missing: add it'],
    ['\nentities: Thing', "fleet.yaml:2: entities must be a list, found 'Thing'"],
    ['entities:\n', 'fleet.yaml:1: entities must be a list, found nothing'],
    ['entities:\n  - plural: a', 'fleet.yaml:2: entities[0].kind is missing: add it'],
  ])('says what is expected instead of %j', async (text, problem) => {
    expect(await problemsOf(text)).toEqual([problem])
  })

  test('names members that there are not, and what may be meant', async () => {
    const problems = await problemsOf(`entites: []
entities:
  - kind: Thing
    plural: things
    parent: Fleet
    name: { min: 3 }
    messages: { availble: x }
    references: [{ type: a, kind: Fleet, minimum: 1 }]`)
    expect(problems).toEqual([
      'fleet.yaml:1: entites is not a field here: did you mean entities?',
      expect.stringMatching(/^fleet\.yaml:5: Thing: parent is not a field here: use kind, plural/),
      'fleet.yaml:6: Thing: name.min is not a field here: use min_length, max_length',
      'fleet.yaml:7: Thing: messages.availble is not a field here: did you mean available?',
      expect.stringMatching(/:8: Thing: references\[0\]\.minimum is not a field here/),
    ])
  })

  test('names values of the wrong type, and reports nothing else about them', async () => {
    const problems = await problemsOf(`entities:
  - kind: Thing
    plural: 5
    singular: []
    parent_kind: true
    on_parent_delete: drop
    required_adapters: [a, 1, { b: 2 }]
    name: short
    spec_schema: 7
    messages: { ready: null }
    references: [5, { type: {}, kind: 7, min: one, max: 1.5 }]
  - 5
  - kind: "a\\0"`)
    expect(problems).toEqual([
      'fleet.yaml:3: Thing: plural must be text, found 5',
      'fleet.yaml:4: Thing: singular must be text, found a list',
      'fleet.yaml:5: Thing: parent_kind must be text, found true',
      "fleet.yaml:6: Thing: on_parent_delete must be cascade or restrict, found 'drop'",
      'fleet.yaml:7: Thing: required_adapters[1] must be text, found 1',
      'fleet.yaml:7: Thing: required_adapters[2] must be text, found an object',
      "fleet.yaml:8: Thing: name must be an object with min_length, max_length, found 'short'",
      'fleet.yaml:9: Thing: spec_schema must be the path of a schema file, or a schema, found 7',
      'fleet.yaml:10: Thing: messages.ready must be text, found nothing',
      'fleet.yaml:11: Thing: references[0] must be an object with type, kind, min, max, found 5',
      'fleet.yaml:11: Thing: references[1].type must be text, found an object',
      'fleet.yaml:11: Thing: references[1].kind must be text, found 7',
      "fleet.yaml:11: Thing: references[1].min must be a whole number, found 'one'",
      'fleet.yaml:11: Thing: references[1].max must be a whole number, found 1.5',
      expect.stringMatching(
        /^fleet\.yaml:12: entities\[1\] must be an object with kind, .* found 5$/,
      ),
      expect.stringMatching(
        /^fleet\.yaml:13: entities\[2\]\.kind contains a character that cannot/,
      ),
    ])
  })

  test('reports violations of the rules for all kinds, each with its line', async () => {
    const long = 'a'.repeat(256)
    const problems = await problemsOf(`entities:
  - kind: thing
    plural: statuses
    singular: Fleet/
    parent_kind: Flet
    name: { min_length: 0,
            max_length: 254 }
    required_adapters:
      - a
      - ''
      - a
      - ${long}
    references:
      - type: Wif
        kind: thing
        min: -1
        max: 0
      - { type: b, kind: Fleet }
      - { type: b,
          kind: Ghost,
          min: 3,
          max: 2 }
  - kind: Second
    on_parent_delete: cascade
  - kind: Third
    plural: ships
    singular: fleet
  - kind: Third
    plural: thirds
  - kind: FleetList
    plural: lists
  - kind: Fourth
    plural: fourths
    parent_kind: Fifth
  - kind: Fifth
    plural: fifths
    parent_kind: Fourth`)
    expect(problems).toEqual([
      "fleet.yaml:2: entities[0].kind must be PascalCase, such as DnsZone, found 'thing'",
      "fleet.yaml:3: thing: plural 'statuses' is a path of the API itself: choose another",
      "fleet.yaml:4: thing: singular must be lower-case letters, digits and '_', a letter first, found 'Fleet/'",
      "fleet.yaml:5: thing: parent_kind 'Flet' is not a kind: did you mean Fleet?",
      'fleet.yaml:6: thing: name.min_length must be at least 1, found 0',
      'fleet.yaml:7: thing: name.max_length must be from the least length, 0, to 253, found 254',
      'fleet.yaml:10: thing: required_adapters[1] must be 1 to 255 characters, found 0',
      "fleet.yaml:11: thing: required_adapters[2] names 'a' a second time: remove it",
      'fleet.yaml:12: thing: required_adapters[3] must be 1 to 255 characters, found 256',
      "fleet.yaml:14: thing: references[0].type must be lower-case letters, digits and '_', a letter first, found 'Wif'",
      'fleet.yaml:16: thing: references[0].min must be at least 0, found -1',
      'fleet.yaml:17: thing: references[0].max must be at least 1, found 0',
      "fleet.yaml:19: thing: references[2].type 'b' is declared twice: choose another",
      expect.stringMatching(
        /^fleet\.yaml:20: thing: references\[2\]\.kind 'Ghost' is not a kind: use/,
      ),
      'fleet.yaml:22: thing: references[2].max must not be below min, 3, found 2',
      'fleet.yaml:23: Second: plural is missing: add the path segment of the collection',
      "fleet.yaml:24: Second: on_parent_delete 'cascade' requires parent_kind: add it, or remove this field",
      "fleet.yaml:26: Third: plural 'ships' is the plural of Ship: choose another",
      "fleet.yaml:27: Third: singular 'fleet' is the singular of Fleet: choose another",
      "fleet.yaml:28: entities[3].kind 'Third' is declared twice: remove one",
      "fleet.yaml:30: entities[4].kind 'FleetList' and Fleet would share the name FleetList in the API's document: choose another",
      'fleet.yaml:34: Fourth: parent_kind closes a cycle: Fourth, Fifth, Fourth',
      'fleet.yaml:37: Fifth: parent_kind closes a cycle: Fifth, Fourth, Fifth',
    ])
  })

  test('may not change the paths of a built-in kind, or redefine one twice', async () => {
    const problems = await problemsOf(`entities:
  - kind: Fleet
    plural: armadas
    singular: armada
    parent_kind: Ship
  - kind: Fleet
  - kind: Ship
    parent_kind: Ship`)
    expect(problems).toEqual([
      "fleet.yaml:3: Fleet: plural cannot be changed, found 'armadas': Fleet has 'fleets', and clients rely on it; remove this",
      "fleet.yaml:4: Fleet: singular cannot be changed, found 'armada': Fleet has 'fleet', and clients rely on it; remove this",
      "fleet.yaml:5: Fleet: parent_kind cannot be changed, found 'Ship': Fleet has none, and clients rely on it; remove this",
      "fleet.yaml:6: entities[1].kind 'Fleet' is declared twice: remove one",
      "fleet.yaml:8: Ship: parent_kind cannot be changed, found 'Ship': Ship has 'Fleet', and clients rely on it; remove this",
    ])
  })

  test('reports the line of a problem in a schema', async () => {
    await write('broken.yaml', 'type: object\nproperties:\n  a:\n    type: strng\n')
    await write('unreadable.yaml', 'a: 1\nb: }\n')
    await write('openapi.yaml', 'openapi: 3.1.0\ncomponents: { schemas: {} }\n')
    await write('list.yaml', '- a\n')
    const problems = await problemsOf(`entities:
  - kind: A
    plural: as
    spec_schema:
      type: object
      properties:
        a: { minLength: -1 }
        b: 5
  - { kind: B, plural: bs, spec_schema: { type: string } }
  - { kind: C, plural: cs, spec_schema: nowhere.yaml }
  - { kind: D, plural: ds, spec_schema: broken.yaml }
  - { kind: E, plural: es, spec_schema: unreadable.yaml }
  - { kind: F, plural: fs, spec_schema: openapi.yaml }
  - { kind: G, plural: gs, spec_schema: list.yaml }
  - { kind: H, plural: hs, spec_schema: { type: object, not: { $ref: '#/$defs/a' } } }
  - { kind: I, plural: is, spec_schema: { type: object, not: { $ref: '#' } } }
  - { kind: J, plural: js, spec_schema: { type: object, not: { $ref: 'https://example.org/a' } } }
  - { kind: K, plural: ks, spec_schema: { type: object, properties: { a: { pattern: '[' } } } }
  - { kind: L, plural: ls, spec_schema: { $ref: '#/$defs/a', $defs: { a: true } } }`)
    const unusable = 'spec_schema names an invalid file:'
    const unresolved = 'spec_schema has a reference that cannot be resolved:'
    for (const [place, expected] of [
      'fleet.yaml:7: A: spec_schema.properties.a.minLength must be >= 0',
      'fleet.yaml:8: A: spec_schema.properties.b must be object or boolean',
      "fleet.yaml:9: B: spec_schema must have type: object, found 'string'",
      `fleet.yaml:10: C: ${unusable} nowhere.yaml: cannot be read: ENOENT`,
      `fleet.yaml:11: D: ${unusable} broken.yaml:4: properties.a.type must be one of array, `,
      `fleet.yaml:12: E: ${unusable} unreadable.yaml:2: is not valid YAML: `,
      `fleet.yaml:13: F: ${unusable} openapi.yaml:2: components.schemas.FSpec must be a schema, found nothing`,
      `fleet.yaml:14: G: ${unusable} list.yaml:1: the schema must be a schema, found a list`,
      `fleet.yaml:15: H: ${unresolved} Missing $ref pointer "#/$defs/a"`,
      `fleet.yaml:16: I: ${unresolved} Circular $ref pointer found at #/not`,
      `fleet.yaml:17: J: ${unresolved} Unable to resolve $ref pointer "https://example.org/a"`,
      'fleet.yaml:18: K: spec_schema cannot be used: Invalid regular expression: /[/u',
      `fleet.yaml:19: L: ${unresolved} `,
    ].entries()) {
      expect(problems[place]).toContain(expected)
    }
    expect(problems).toHaveLength(13)
  })
})
