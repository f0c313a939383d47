import type { Deps } from '../operations/operation.ts'

/**
 * What the head of a page says to a messenger that shows a link. The texts are plain; they are escaped where they are written.
 */
export type PageHead = { title: string; description: string }

/** A page that strangers open by a link with an id. It is not to be indexed by search engines. */
export type OpenPage = {
  /** Its path below /app/, and that of its preview picture. Both contain `:id`. */
  path: string
  picture: string
  /** Undefined when the link shows nothing, which is answered 404. */
  readHead(id: string, deps: Deps): Promise<PageHead | undefined>
  /** A PNG of 1200 × 630; undefined as above. @throws Problem busy */
  draw(id: string, deps: Deps): Promise<Uint8Array<ArrayBuffer> | undefined>
}

/** An open page of this service. */
export type BoundPage = Pick<OpenPage, 'path' | 'picture'> & {
  readHead(id: string): Promise<PageHead | undefined>
  draw(id: string): Promise<Uint8Array<ArrayBuffer> | undefined>
}
export const bindPage = ({ path, picture, readHead, draw }: OpenPage, deps: Deps): BoundPage => ({
  path,
  picture,
  readHead: id => readHead(id, deps),
  draw: id => draw(id, deps),
})

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, it => entities[it] ?? '')

/** The lines of a head: title and preview (Open Graph). */
export const toHeadLines = ({ title, description }: PageHead, { url, picture }: { url: string; picture: string }): string =>
  [
    `<title>${escaped(title)}</title>`,
    '<meta name="robots" content="noindex, nofollow">',
    ...Object.entries({
      'og:type': 'article',
      'og:title': title,
      'og:description': description,
      'og:url': url,
      'og:image': picture,
      'og:image:width': '1200',
      'og:image:height': '630',
    }).map(([name, content]) => `<meta property="${name}" content="${escaped(content)}">`),
    '<meta name="twitter:card" content="summary_large_image">',
  ].join('\n')
