import { type JsonObject, listOf, objectOf, textOf } from 'flotilla'

const POD = 'spec.podTemplate.spec'
const CONTAINER = `${POD}.containers[0]`

/** Sources of environment variables that a sandbox has. */
const SOURCES = ['secretKeyRef', 'configMapKeyRef', 'fieldRef']

/** Fields of containers whose absence could surprise. */
const IGNORED_IN_CONTAINER: Readonly<Record<string, string>> = {
  envFrom: 'variables are read from env only',
}
const IGNORED_IN_INIT_CONTAINER: Readonly<Record<string, string>> = {
  image: 'the command runs in the image of the main container',
  resources: 'the limits of the sandbox apply',
}

/** Of `securityContext`. The user of a sandbox belongs to it alone, and walls map no others. */
const IGNORED_USERS: Readonly<Record<string, string>> = {
  runAsUser: 'programs have the user of the sandbox, or that of their image (class bubblewrap)',
  runAsGroup: 'programs have the group of the sandbox, or that of their image (class bubblewrap)',
}

/** Warnings about fields of a pod template that are kept although the runtime cannot use them. */
export function blueprintWarnings(spec: JsonObject): readonly string[] {
  const pod = objectOf(objectOf(spec['podTemplate'])['spec'])
  const container = objectOf(listOf(pod['containers'])[0])
  return [
    ...userWarnings(pod, container),
    ...programWarnings(container),
    ...containerWarnings(container, CONTAINER),
    ...listOf(pod['initContainers']).flatMap((value, index) => {
      const field = `${POD}.initContainers[${index}]`
      return [
        ...ignored(objectOf(value), field, IGNORED_IN_INIT_CONTAINER),
        ...containerWarnings(objectOf(value), field),
      ]
    }),
  ]
}

function containerWarnings(container: JsonObject, field: string): readonly string[] {
  return [
    ...ignored(container, field, IGNORED_IN_CONTAINER),
    ...mountWarnings(container, field),
    ...envWarnings(container, field),
  ]
}

/** Manifests that name no class are made for other systems, and apply unchanged. */
function userWarnings(pod: JsonObject, container: JsonObject): readonly string[] {
  if (textOf(pod['runtimeClassName']) === '') return []
  return [
    ...ignored(objectOf(pod['securityContext']), `${POD}.securityContext`, IGNORED_USERS),
    ...ignored(
      objectOf(container['securityContext']),
      `${CONTAINER}.securityContext`,
      IGNORED_USERS,
    ),
  ]
}

function programWarnings({ image, imagePullPolicy, command }: JsonObject): readonly string[] {
  const hasImage = image !== undefined && image !== ''
  const hasCommand = listOf(command).length > 0
  if (!hasImage) {
    const problem = 'the sandbox cannot start without a command: there is no program'
    return hasCommand ? [] : [`${CONTAINER}.command: ${problem}`]
  }
  if (imagePullPolicy === 'Never' || !hasCommand) return []
  const otherwise = 'otherwise the command runs with the programs of the machine'
  return [
    `${CONTAINER}.image: used if it is registered (flotilla sandbox images add), ${otherwise}; imagePullPolicy: Never prevents that`,
  ]
}

function ignored(
  object: JsonObject,
  path: string,
  fields: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(fields)
    .filter(([name]) => object[name] !== undefined)
    .map(([name, reason]) => `${path}.${name}: kept, but ${reason}`)
}

function mountWarnings(container: JsonObject, at: string): readonly string[] {
  return listOf(container['volumeMounts']).flatMap((value, index) =>
    ['subPath', 'subPathExpr'].flatMap((name) => {
      const field = `${at}.volumeMounts[${index}].${name}`
      return objectOf(value)[name] === undefined
        ? []
        : [`${field}: kept, but the whole volume is mounted`]
    }),
  )
}

function envWarnings(container: JsonObject, at: string): readonly string[] {
  return listOf(container['env']).flatMap((value, index) => {
    const { name, valueFrom } = objectOf(value)
    const source = Object.keys(objectOf(valueFrom)).find((each) => !SOURCES.includes(each))
    if (source === undefined) return []
    const field = `${at}.env[${index}].valueFrom.${source}`
    return [`${field}: kept, but the variable ${textOf(name)} is not set`]
  })
}
