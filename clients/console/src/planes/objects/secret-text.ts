import { isObject, type UnknownObject } from '../../../../typescript/src/http/json.ts'
import type { PlaneKind } from '../../kube/plane-kind.ts'

/** Whether the objects of a kind have values that a screen must not show unasked. */
export function isSecret({ group, plural }: Pick<PlaneKind, 'group' | 'plural'>): boolean {
  return group === '' && plural === 'secrets'
}

/** A Secret as users edit it: values that are text in `stringData`, others in `data`. */
export function withText(secret: UnknownObject): UnknownObject {
  const { data, ...others } = secret
  if (!isObject(data)) return secret
  const binary: Record<string, unknown> = {}
  const text: Record<string, string> = {}
  for (const [key, value] of Object.entries(data)) {
    const decoded = typeof value === 'string' ? decodeText(value) : null
    if (decoded === null) binary[key] = value
    else text[key] = decoded
  }
  return {
    ...others,
    ...(Object.keys(binary).length > 0 && { data: binary }),
    ...(Object.keys(text).length > 0 && { stringData: text }),
  }
}

/** The Secret that the server stores. A key that was removed from the text is removed. */
export function withBase64(edited: UnknownObject): UnknownObject {
  const { stringData, data, ...others } = edited
  if (!isObject(stringData)) return edited
  const encoded = Object.entries(stringData).map(([key, value]) => [
    key,
    // The server names the fault of a value that is no text.
    typeof value === 'string' ? encodeText(value) : value,
  ])
  return { ...others, data: { ...(isObject(data) && data), ...Object.fromEntries(encoded) } }
}

/** The text of a value in base64; null if it is not UTF-8. */
export function decodeText(base64: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

function encodeText(text: string): string {
  const bytes = [...new TextEncoder().encode(text)]
  return btoa(bytes.map((byte) => String.fromCharCode(byte)).join(''))
}
