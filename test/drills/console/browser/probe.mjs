// @ts-nocheck -- it runs in a page, and the project is checked without the DOM.
// Runs in every page before the console's own scripts. It records what the drill asserts.
const probe = { violations: [], inputs: [], longTasks: [], isAttacked: false }
globalThis.flotillaProbe = probe

// The payloads of the case `attacks` call this function.
globalThis.attack = () => {
  probe.isAttacked = true
}

document.addEventListener('securitypolicyviolation', (event) => {
  const { effectiveDirective, blockedURI, sourceFile, lineNumber, columnNumber } = event
  const place = `${sourceFile}:${lineNumber}:${columnNumber}`
  probe.violations.push(
    `${effectiveDirective} ${blockedURI} at ${place} ${event.target.outerHTML ?? ''}`,
  )
})

const INPUTS = new Set(['keydown', 'keypress', 'input', 'pointerdown', 'click', 'wheel'])

new PerformanceObserver((list) => {
  for (const { name, startTime, processingStart, processingEnd, duration } of list.getEntries()) {
    if (!INPUTS.has(name)) continue
    probe.inputs.push({
      name,
      duration,
      delay: processingStart - startTime,
      work: processingEnd - processingStart,
    })
  }
}).observe({ type: 'event', durationThreshold: 16, buffered: true })

new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) probe.longTasks.push(duration)
}).observe({ type: 'longtask', buffered: true })
