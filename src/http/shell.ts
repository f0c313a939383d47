import { createHash } from 'node:crypto'

/**
 * Content security policy of the web pages, which hold an access token. Only this service's own scripts and styles are allowed,
 * and no framing. A delivered picture or recording is a blob of the page, which runs no script and loads nothing.
 * @param inline the one script and the one style that stand in the text of the page
 */
export const toPolicy = (inline: { script: string; style: string } | undefined): string => {
  const hashed = (text: string) => `'self' 'sha256-${createHash('sha256').update(text).digest('base64')}'`
  return [
    "default-src 'self'",
    ...(inline ? [`script-src ${hashed(inline.script)}`, `style-src ${hashed(inline.style)}`] : []),
    "img-src 'self' blob:",
    "media-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')
}

/** The policy of pages with nothing inline. */
export const contentSecurityPolicy = toPolicy(undefined)

export const ownTitle = '<title>Agent marketplace</title>'

type Paths = {
  style: string
  script: string
  /** Scripts that the first one imports; the browser asks for them together with it. */
  beside: string[]
}

/**
 * `style`: what the door needs. `opening`: the script that runs before the first paint. `door`: what is seen before the scripts
 * have come. `returning`: the browser keeps something of this page.
 */
type Parts = { style: string; opening: string; door: string; settings: { local: boolean; mail: boolean }; returning: boolean }

/**
 * Returns the page as it is sent. The style and the opening script stand in its text, so that the first paint
 * waits for no other request.
 */
export const writeShell = (
  { style: sheet, script, beside }: Paths,
  { style, opening, door, settings, returning }: Parts,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
${ownTitle}
<script data-scripts="${[script, ...beside].join(' ')}" data-sheet="${sheet}" data-returning="${returning}">${opening}</script>
<style>${style}</style>
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<link rel="apple-touch-icon" href="/icons/192.png">
<link rel="manifest" href="/manifest.webmanifest">
<meta name="theme-color" content="#f6f5f0" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#171512" media="(prefers-color-scheme: dark)">
</head>
<body data-local="${settings.local}" data-mail="${settings.mail}"><div id="page">${door}</div>
<noscript>This page needs JavaScript. The API reference is at <a href="/reference">/reference</a>.</noscript></body>
</html>
`
