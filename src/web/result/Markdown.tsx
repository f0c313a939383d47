import type { Child } from 'hono/jsx'
import { Lexer, type Token, type Tokens } from 'marked'
import { toSpoken } from '../../domain/text/quotableText.ts'
import { t } from '../client/words.ts'
import { hostOf } from './hosts.ts'

/**
 * Renders Markdown. The library only parses it; this module creates the elements. HTML stays text, images are named but not
 * loaded, and links show their target.
 */
export const Markdown = ({ text }: { text: string }) => (
  <div class="md">
    {Lexer.lex(toSpoken(text, text.length), { gfm: true }).map((it, at) => (
      <Block key={at} token={it} />
    ))}
  </div>
)

// Narrows a token to the type that its `type` names. The library's union has a generic member, which prevents automatic
// narrowing.
const as = <T extends Token>(token: Token): T => token as T

/** The elements of tokens that only hold other tokens. */
const tags: Record<string, 'h3' | 'p' | 'b' | 'em' | 's'> = { heading: 'h3', paragraph: 'p', strong: 'b', em: 'em', del: 's' }

const toHolder = (token: Token): Child | undefined => {
  const Tag = tags[token.type]
  if (!Tag || !('tokens' in token)) return undefined
  return (
    <Tag>
      <Inline tokens={token.tokens ?? []} />
    </Tag>
  )
}

const Block = ({ token }: { token: Token }): Child => {
  const holder = toHolder(token)
  if (holder) return holder
  switch (token.type) {
    case 'list':
      return <List token={as<Tokens.List>(token)} />
    case 'blockquote':
      return (
        <blockquote>
          {as<Tokens.Blockquote>(token).tokens.map((it, at) => (
            <Block key={at} token={it} />
          ))}
        </blockquote>
      )
    case 'code':
      return (
        <pre class="mono-block" tabindex={0}>
          {as<Tokens.Code>(token).text}
        </pre>
      )
    case 'table':
      return <Grid token={as<Tokens.Table>(token)} />
    case 'hr':
      return <hr />
    case 'space':
    case 'def':
      return null
    default:
      return (
        <p>
          <Inline
            tokens={'tokens' in token && token.tokens ? token.tokens : [{ type: 'text', raw: token.raw, text: token.raw }]}
          />
        </p>
      )
  }
}

const List = ({ token: { ordered, items } }: { token: Tokens.List }) => {
  const lines = items.map((item, at) => (
    <li key={at}>
      {item.tokens.map((it, place) =>
        it.type === 'text' && 'tokens' in it ? <Inline key={place} tokens={it.tokens ?? []} /> : <Block key={place} token={it} />,
      )}
    </li>
  ))
  return ordered ? <ol>{lines}</ol> : <ul>{lines}</ul>
}

const Grid = ({ token: { header, rows } }: { token: Tokens.Table }) => (
  <div class="scroll" tabindex={0}>
    <table>
      <thead>
        <tr>
          {header.map((it, at) => (
            <th key={at} scope="col">
              <Inline tokens={it.tokens} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((it, place) => (
              <td key={place}>
                <Inline tokens={it.tokens} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const Inline = ({ tokens }: { tokens: Token[] }) => (
  <>
    {tokens.map((it, at) => (
      <Span key={at} token={it} />
    ))}
  </>
)

/** HTML entities that the library leaves in plain text. */
const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
const toPlain = (text: string) => text.replace(/&(?:amp|lt|gt|quot|#39);/g, found => entities[found] ?? found)

const Span = ({ token }: { token: Token }): Child => {
  const holder = toHolder(token)
  if (holder) return holder
  switch (token.type) {
    case 'codespan':
      return <code>{toPlain(as<Tokens.Codespan>(token).text)}</code>
    case 'br':
      return <br />
    case 'link': {
      const { href, tokens, text } = as<Tokens.Link>(token)
      const host = hostOf(href)
      if (!host) return <Inline tokens={tokens} />
      return (
        <a href={href} target="_blank" rel="noreferrer noopener nofollow">
          <Inline tokens={tokens} />
          {text !== href && <span class="q xs"> ({host})</span>}
        </a>
      )
    }
    case 'image':
      return <span class="q">{t('[picture: {name}]', { name: as<Tokens.Image>(token).text || '–' })}</span>
    default:
      return 'tokens' in token && token.tokens ? (
        <Inline tokens={token.tokens} />
      ) : (
        toPlain('text' in token ? String(token.text) : token.raw)
      )
  }
}
