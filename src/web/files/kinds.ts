/** How a file is shown. Whatever a browser could execute is text, and what is not known is only saved. */
export type FileKind = 'picture' | 'audio' | 'video' | 'pdf' | 'table' | 'archive' | 'text' | 'other'

const kinds: readonly [RegExp, FileKind][] = [
  [/^image\/(?:png|jpeg|gif|webp|avif|bmp)$/, 'picture'],
  [/^audio\//, 'audio'],
  [/^video\//, 'video'],
  [/^application\/pdf$/, 'pdf'],
  [/^text\/(?:csv|tab-separated-values)$/, 'table'],
  [/^application\/(?:zip|x-tar|gzip|vnd\.openxmlformats-officedocument\.spreadsheetml\.sheet)$/, 'archive'],
  [/^text\/|^image\/svg|[/+](?:json|xml|yaml|x-ndjson|x-subrip|javascript)$/, 'text'],
]

export const fileKindOf = (mediaType: string): FileKind => kinds.find(([form]) => form.test(mediaType))?.[1] ?? 'other'

/** The type of a file's bytes in the page. Only what cannot be executed keeps its own. */
export const inertType = (mediaType: string): string =>
  ['picture', 'audio', 'video', 'pdf'].includes(fileKindOf(mediaType)) ? mediaType : 'text/plain'
