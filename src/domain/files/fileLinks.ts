/** A file as a message names it. `member`: the member of an input that it is for, where the message says so. */
export type FileLink = { id: string; name: string; member?: string | undefined }

const idForm = 'file_[0-9a-f]{32}'
const whole = new RegExp(`^${idForm}$`)
const anyId = new RegExp(idForm, 'g')
/** `"picture": "file_…"` or `"pages": ["file_…", "file_…"]` in JSON, with the comma before it. */
const inJson = new RegExp(
  String.raw`,?\s*"([^"\n]{1,100})"\s*:\s*("${idForm}"|\[\s*"${idForm}"(?:\s*,\s*"${idForm}")*\s*\])`,
  'g',
)
/** Stands where a member of an object was. A message has no NUL. */
const hole = '\0'
const emptied = new RegExp(String.raw`\{(?:\s*${hole})+\s*\}`, 'g')
const link = new RegExp(String.raw`\[([^\]\n]{0,200})\]\(${idForm}\)|\b${idForm}\b`, 'g')

export const isFileId = (value: unknown): boolean => typeof value === 'string' && whole.test(value)

/** Marks of Markdown and line breaks would end the link. */
const toLinkName = (name: string): string =>
  name
    .replace(/[[\]()\\`\p{C}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 120)

/**
 * A message that names its files, each as a Markdown link on a line of its own. Whatever keeps, repeats or quotes the message
 * keeps its files with it.
 */
export const withFileLinks = (text: string, files: readonly FileLink[]): string =>
  [text.trim(), files.map(({ id, name }) => `[${toLinkName(name)}](${id})`).join('\n')].filter(Boolean).join('\n\n')

/** The words of a message without its files, and the files in order, each once. */
export const splitFileLinks = (message: string): { words: string; files: FileLink[] } => {
  const files = new Map<string, FileLink>()
  const add = (file: FileLink) => !files.has(file.id) && files.set(file.id, file)
  const words = message
    .replace(inJson, (_, member: string, ids: string) => {
      for (const id of ids.match(anyId) ?? []) add({ id, name: '', member })
      return hole
    })
    .replace(emptied, '')
    .replaceAll(hole, '')
    .replace(link, (found, name?: string) => {
      add({ id: found.match(anyId)?.at(-1) ?? '', name: name ?? '' })
      return ''
    })
  if (files.size === 0) return { words: message, files: [] }
  return { words: toTidy(words), files: [...files.values()] }
}

/** A link to a file that was cut with its text. */
const cutLink = /\s*\[[^\]\n]*\]\(file_[0-9a-f]*$/

/** A message in words for a title: without its files, or their names where it has no words. The text may have been cut. */
export const toTitleText = (message: string): string => {
  const { words, files } = splitFileLinks(message)
  return words.replace(cutLink, '').trim() || files.map(it => it.name || 'a file').join(', ')
}

const toTidy = (text: string): string =>
  text
    .replace(/\{\s*,/g, '{')
    .replace(/^\s*\{\s*\}\s*$/, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
