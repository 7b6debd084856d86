/** Ways in which a page sends requests to another origin without asking it first. */
export interface ForeignRequest {
  readonly name: string
  /** A program for the page. `server` is the origin of the server, and `body` a creation. */
  readonly run: string
}

const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'
const CLUSTERS = '/api/hyperfleet/v1/clusters'
const CLUSTER = `JSON.stringify({ kind: 'Cluster', name: 'foreign', spec: {} })`
const SANDBOX = `JSON.stringify({ metadata: { name: 'foreign' }, spec: { podTemplate: { spec: {
  containers: [{ name: 'main', image: 'none', command: ['true'] }] } } } })`

/** Sends a form into a frame, and waits until the frame has the response. */
function form(enctype: string, field: string): string {
  return `new Promise((resolve) => {
    const frame = document.createElement('iframe')
    frame.name = 'frame' + Math.random()
    document.body.append(frame)
    const form = document.createElement('form')
    Object.assign(form, { method: 'POST', enctype: '${enctype}', action: server + '${CLUSTERS}', target: frame.name })
    const input = document.createElement('input')
    Object.assign(input, { type: 'hidden', ...${field} })
    form.append(input)
    document.body.append(form)
    frame.addEventListener('load', resolve)
    form.submit()
  })`
}

function withoutCors(path: string, body: string): string {
  return `fetch(server + '${path}', { mode: 'no-cors', method: 'POST', body: new Blob([${body}]) })`
}

export const FOREIGN_REQUESTS: readonly ForeignRequest[] = [
  { name: 'a Blob that creates a sandbox', run: withoutCors(SANDBOXES, SANDBOX) },
  { name: 'a Blob that creates a cluster', run: withoutCors(CLUSTERS, CLUSTER) },
  {
    name: 'text',
    run: `fetch(server + '${CLUSTERS}', { mode: 'no-cors', method: 'POST', body: ${CLUSTER} })`,
  },
  {
    name: 'a beacon',
    run: `navigator.sendBeacon(server + '${CLUSTERS}', new Blob([${CLUSTER}]))`,
  },
  {
    name: 'a form of text',
    run: form('text/plain', `{ name: ${CLUSTER}.slice(0, -1) + ',"x":"', value: '"}' }`),
  },
  {
    name: 'an encoded form',
    run: form('application/x-www-form-urlencoded', `{ name: ${CLUSTER}, value: '' }`),
  },
  {
    name: 'a form with parts',
    run: form('multipart/form-data', `{ name: 'a', value: ${CLUSTER} }`),
  },
  {
    name: 'an image at a missing plane',
    run: `new Promise((resolve) => {
      const image = new Image()
      image.onload = image.onerror = resolve
      image.src = server + '/clusters/foreign/control-plane/api/v1/namespaces'
    })`,
  },
  {
    name: 'a WebSocket',
    run: `new Promise((resolve, reject) => {
      const socket = new WebSocket(server.replace('http', 'ws') + '${CLUSTERS}?watch=true')
      socket.onerror = resolve
      socket.onopen = () => reject(new Error('the WebSocket opened'))
    })`,
  },
  {
    name: 'an EventSource',
    run: `new Promise((resolve, reject) => {
      const source = new EventSource(server + '${CLUSTERS}?watch=true')
      source.onmessage = source.onopen = () => reject(new Error('the page can read events'))
      source.onerror = () => { source.close(); resolve() }
    })`,
  },
  {
    name: 'JSON that needs a preflight',
    run: `fetch(server + '${CLUSTERS}', { method: 'POST', body: ${CLUSTER},
      headers: { 'Content-Type': 'application/json' } }).then(
      () => { throw new Error('the page can read the response') }, () => undefined)`,
  },
  {
    name: 'a Blob of a frame without origin',
    run: `new Promise((resolve) => {
      const frame = document.createElement('iframe')
      frame.sandbox = 'allow-scripts'
      frame.srcdoc = '<script>fetch("' + server + '${CLUSTERS}", { mode: "no-cors", method: "POST", body: '
        + 'new Blob([' + JSON.stringify(${CLUSTER}) + ']) }).finally(() => parent.postMessage(1, "*"))</' + 'script>'
      addEventListener('message', resolve, { once: true })
      document.body.append(frame)
    })`,
  },
]
