import { toSpoken } from '../../domain/text/quotableText.ts'

type Part = { text: string; kind: '' | 'c' | 'k' | 'v' | 'add' | 'cut' }

/** Matches comments and strings first, because keywords in them are plain text. */
const comment = /\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/|--[^\n]*/
const value = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\b\d[\d._]*\b/
const keywords =
  'const|let|var|function|return|if|else|for|while|import|export|from|class|def|async|await|new|try|catch|throw|' +
  'type|interface|select|where|insert|update|true|false|null|None|True|False|public|static|void|fn|use|match|in|of'
const marks = new RegExp(`(?<c>${comment.source})|(?<v>${value.source})|(?<k>\\b(?:${keywords})\\b)`, 'g')

const toParts = (text: string): Part[] => {
  const parts: Part[] = []
  let at = 0
  for (const found of text.matchAll(marks)) {
    if (found.index > at) parts.push({ text: text.slice(at, found.index), kind: '' })
    const kind = found.groups?.c !== undefined ? 'c' : found.groups?.k !== undefined ? 'k' : 'v'
    parts.push({ text: found[0], kind })
    at = found.index + found[0].length
  }
  return [...parts, { text: text.slice(at), kind: '' }]
}

const toDiff = (text: string): Part[] =>
  text.split('\n').map(line => {
    const kind = /^\+(?!\+\+)/.test(line) ? 'add' : /^-(?!--)/.test(line) ? 'cut' : line.startsWith('@@') ? 'c' : ''
    return { text: `${line}\n`, kind }
  })

/** Code with highlighted syntax, rendered as text only. */
export const Code = ({ text, language }: { text: string; language: string }) => {
  const shown = toSpoken(text, text.length)
  const parts = language === 'diff' ? toDiff(shown) : toParts(shown)
  return (
    <div class="code">
      <pre tabindex={0}>
        {parts.map((it, at) => (
          <span key={at} class={it.kind || undefined}>
            {it.text}
          </span>
        ))}
      </pre>
    </div>
  )
}
