const escaped = (text: string) => text.replace(/[()\\]/g, char => `\\${char}`)

/** A PDF with one line of text on each page. */
export const toPdf = (pages: readonly string[]): Uint8Array => {
  const ids = pages.map((_, at) => 4 + at * 2)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${ids.map(it => `${it} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, at) => {
      const stream = `BT /F1 18 Tf 40 740 Td (${escaped(text)}) Tj ET`
      const resources = '/MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >>'
      return [
        `<< /Type /Page /Parent 2 0 R ${resources} /Contents ${5 + at * 2} 0 R >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ]
    }),
  ]
  const parts = ['%PDF-1.4\n']
  const places = objects.map((it, at) => {
    const place = parts.join('').length
    parts.push(`${at + 1} 0 obj\n${it}\nendobj\n`)
    return place
  })
  const start = parts.join('').length
  const lines = places.map(it => `${String(it).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines}`)
  parts.push(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`)
  return new TextEncoder().encode(parts.join(''))
}
