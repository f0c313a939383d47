import { readFile } from 'node:fs/promises'

const web = new URL('../../web/', import.meta.url)
/** The file in the npm package. */
const built = new URL('slip.html', web)

let made: Promise<string> | undefined

/**
 * The proposal as an MCP app: one HTML file without any address, made of the page's own parts and styles. It is bundled when the
 * first client reads it; the npm package contains it.
 */
export const readSlipPage = (): Promise<string> => {
  made ??= readFile(built, 'utf8')
    .catch(bundleSlip)
    .catch(error => {
      made = undefined
      throw error
    })
  return made
}

const styles = ['tokens', 'shapes', 'frame', 'parts', 'slip'].map(name => new URL(`styles/${name}.css`, web))

export const bundleSlip = async (): Promise<string> => {
  const { rolldown } = await import('rolldown')
  const bundler = await rolldown({
    input: new URL('slip/main.tsx', web).pathname,
    tsconfig: new URL('tsconfig.json', web).pathname,
    transform: { target: 'es2022' },
  })
  const { output } = await bundler.generate({ format: 'iife', minify: true })
  await bundler.close()
  const css = (await Promise.all(styles.map(it => readFile(it, 'utf8')))).join('\n')
  return toHtml(output[0].code, css)
}

/** The font is left out, because it would be another file. A script may not end the element that it stands in. */
const toHtml = (script: string, css: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Proposal</title>
<style>${css.replace(/@font-face\s*\{[^}]*\}/g, '')}</style>
</head>
<body><div id="page"></div>
<script>${script.replaceAll('</script', '<\\/script')}</script></body>
</html>
`
