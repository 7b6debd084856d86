import type { IndexLinks } from './index-links.ts'

/** The index as a page that loads nothing, with the policy that enforces this. */
export function indexPage(
  version: string,
  links: IndexLinks,
): { readonly html: string; readonly policy: string } {
  const items = Object.values(links).map(({ href, title }) => {
    return `<li><a href="${escaped(href)}">${escaped(href)}</a> ${escaped(title)}</li>`
  })
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Flotilla</title>
<link rel="icon" href="data:,">
</head>
<body>
<h1>Flotilla ${escaped(version)}</h1>
<ul>
${items.join('\n')}
</ul>
</body>
</html>
`
  const policy =
    "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  return { html, policy }
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
