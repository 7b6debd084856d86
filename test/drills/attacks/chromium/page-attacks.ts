/** An attack of a page on another server. The source runs in the page. */
export interface PageAttack {
  readonly name: string
  /** Whether the attack sends an object to create; otherwise it reads or opens a connection. */
  readonly creates: boolean
  /**
   * The body of an async function of `target`, `json`, and `form`, which resolves when a form has been
   * sent. Returns what the page could read, or null.
   */
  readonly source: string
}

/** An attack that has not ended is reported as one that has succeeded. */
const TIMEOUT_MS = 20_000

/** The name and value of a field whose text form is JSON: `{... ,"x":"=y"}`. */
const TEXT_FORM = `
  const [head] = json.split(/}$/)
  const name = head + ',"x":"'
  const value = '"}'`

const creating = (name: string, source: string): PageAttack => ({ name, creates: true, source })
const reading = (name: string, source: string): PageAttack => ({ name, creates: false, source })

export const PAGE_ATTACKS: readonly PageAttack[] = [
  creating(
    'a Blob without a type',
    `await fetch(target, { mode: 'no-cors', method: 'POST', body: new Blob([json]) })`,
  ),
  creating('a text', `await fetch(target, { mode: 'no-cors', method: 'POST', body: json })`),
  creating(
    'a Blob of JSON',
    `await fetch(target, {
      mode: 'no-cors', method: 'POST', body: new Blob([json], { type: 'application/json' }),
    })`,
  ),
  creating(
    'JSON after a preflight',
    `await fetch(target, {
      method: 'POST', body: json, headers: { 'Content-Type': 'application/json' },
    })`,
  ),
  creating(
    'bytes',
    `await fetch(target, {
      mode: 'no-cors', method: 'POST', body: new TextEncoder().encode(json),
    })`,
  ),
  creating(
    'a redirected Blob',
    `await fetch('/redirect?to=' + encodeURIComponent(target), {
      mode: 'no-cors', method: 'POST', body: new Blob([json]),
    })`,
  ),
  creating(
    'a synchronous request',
    `const sent = new XMLHttpRequest()
    sent.open('POST', target, false)
    sent.send(new Blob([json]))`,
  ),
  creating('a form of text', `${TEXT_FORM}; await form('text/plain', name, value)`),
  creating('a form', `await form('application/x-www-form-urlencoded', json, '')`),
  creating('a multipart form', `await form('multipart/form-data', 'body', json)`),
  creating(
    'a Blob of a page without an origin',
    `const frame = document.createElement('iframe')
    frame.sandbox = 'allow-scripts'
    const sent = new Promise((resolve) => addEventListener('message', resolve, { once: true }))
    const body = 'new Blob([' + JSON.stringify(json) + '])'
    const options = '{ mode: "no-cors", method: "POST", body: ' + body + ' }'
    const request = 'fetch(' + JSON.stringify(target) + ', ' + options + ')'
    const done = '() => parent.postMessage("", "*")'
    frame.srcdoc = '<script>' + request + '.then(' + done + ', ' + done + ')</' + 'script>'
    document.body.append(frame)
    await sent
    frame.remove()`,
  ),
  reading('a fetch', `return await (await fetch(target)).text()`),
  reading(
    'an image',
    `return await new Promise((resolve) => {
      const image = new Image()
      image.onload = () => resolve('an image')
      image.onerror = () => resolve(null)
      image.src = target
    })`,
  ),
  reading(
    'an EventSource',
    `return await new Promise((resolve) => {
      const events = new EventSource(target)
      const end = (result) => { events.close(); resolve(result) }
      for (const type of ['message', 'open', 'ADDED', 'BOOKMARK']) events.addEventListener(type, () => end(type))
      events.onerror = () => end(null)
    })`,
  ),
  reading(
    'a WebSocket',
    `return await new Promise((resolve) => {
      const socket = new WebSocket(target.replace(/^http/, 'ws'))
      socket.onopen = () => { socket.close(); resolve('an open socket') }
      socket.onerror = () => resolve(null)
    })`,
  ),
]

/** A function of a page that makes an attack. */
export function scriptOf({ source }: PageAttack, target: string, json: string): string {
  return `(async () => {
    const target = ${JSON.stringify(target)}
    const json = ${JSON.stringify(json)}
    const form = (enctype, name, value) => new Promise((resolve) => {
      const frame = document.createElement('iframe')
      frame.name = 'answer'
      document.body.append(frame)
      const form = document.createElement('form')
      Object.assign(form, { method: 'POST', action: target, enctype, target: 'answer' })
      const field = document.createElement('textarea')
      Object.assign(field, { name, value })
      form.append(field)
      document.body.append(form)
      frame.onload = () => {
        frame.remove()
        form.remove()
        resolve()
      }
      form.submit()
    })
    const run = async () => {
      ${source}
      return null
    }
    const late = new Promise((resolve) => setTimeout(resolve, ${TIMEOUT_MS}, 'no end'))
    return await Promise.race([run().catch(() => null), late])
  })()`
}
