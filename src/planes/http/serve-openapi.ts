import type { Request, Response } from 'express'
import type { Delegation } from '../delegation/delegation.ts'
import type { PlaneTypes } from '../model/type-registry.ts'
import { acceptClauses } from '../negotiation/accept-clauses.ts'
import type { DocumentEncoding } from '../openapi/complete-document.ts'
import type { OpenApi } from '../openapi/open-api.ts'
import { sendDocument } from './send-document.ts'

/** The media type of a version of OpenAPI as protobuf. */
function protobufType(version: 'v2' | 'v3'): string {
  return `application/com.github.proto-openapi.spec.${version}.v1.0+protobuf`
}

const JSON_RANGES: ReadonlySet<string> = new Set(['application/json', 'application/*', '*/*'])

/** The encoding and media type that a request prefers. JSON unless it names protobuf first. */
function negotiated(
  { headers }: Request,
  version: 'v2' | 'v3',
): { readonly encoding: DocumentEncoding; readonly contentType: string } {
  const contentType = protobufType(version)
  // Older clients name the type with an @, which is not valid in media types.
  const names = new Set([contentType, contentType.replace(`${version}.`, `${version}@`)])
  const clause = acceptClauses(headers.accept ?? '').find(
    ({ range }) => names.has(range) || JSON_RANGES.has(range),
  )
  return clause !== undefined && names.has(clause.range)
    ? { encoding: 'protobuf', contentType }
    : { encoding: 'json', contentType: 'application/json' }
}

/** Serves `/openapi/v2` as JSON or protobuf. */
export async function sendOpenApiV2(
  { openApi, types }: Pick<Context, 'openApi' | 'types'>,
  request: Request,
  response: Response,
): Promise<true> {
  const { encoding, contentType } = negotiated(request, 'v2')
  const document = await openApi.complete(types, encoding)
  sendDocument(request, response, { ...document, contentType })
  return true
}

interface Context {
  readonly openApi: OpenApi
  readonly types: PlaneTypes
  readonly delegation: Delegation
  readonly plane: string
  /** The path of the plane. */
  readonly prefix: string
  /** The path below `/openapi/v3`. */
  readonly below: string
}

/** Serves the index of `/openapi/v3` and the document of a group version. False if none matches. */
export async function sendOpenApiV3(
  { openApi, types, delegation, plane, prefix, below }: Context,
  request: Request,
  response: Response,
): Promise<boolean> {
  if (below === '') {
    sendDocument(request, response, {
      ...openApi.index(types, prefix, await delegation.openApi(plane)),
      contentType: 'application/json',
    })
    return true
  }
  const groupVersion = groupVersionOf(below)
  if (groupVersion === null) return false
  const { encoding, contentType } = negotiated(request, 'v3')
  const local = openApi.groupVersion(types, groupVersion, encoding)
  const document = local ?? (await delegation.openApiDocument(plane, groupVersion))
  if (!document) return false
  const hash = new URLSearchParams(request.url.split('?')[1] ?? '').get('hash') ?? ''
  const current = document.etag.replaceAll('"', '')
  if (hash !== '' && hash !== current) {
    response.redirect(301, `${prefix}/openapi/v3${below}?hash=${encodeURIComponent(current)}`)
    return true
  }
  if (hash !== '') response.setHeader('Cache-Control', 'public, immutable')
  sendDocument(request, response, {
    ...document,
    contentType: local === null ? 'application/json' : contentType,
  })
  return true
}

function groupVersionOf(below: string): { group: string; version: string } | null {
  const [, root, first, second, ...rest] = below.split('/')
  if (rest.length > 0 || first === undefined) return null
  if (root === 'api') return second === undefined ? { group: '', version: first } : null
  return root === 'apis' && second !== undefined ? { group: first, version: second } : null
}
