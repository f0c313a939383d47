import type { Draft } from '../state.ts'

/** A line of a reply that names a field, perhaps with the number of its step: "2.city: Oslo". */
const namedLine = /^\s*(?:(?:step\s*)?(\d)\s*[.):]\s*)?([^:\n]{1,60}):\s*(\S.*)$/i

/**
 * Gives each draft the part of a reply that is for it. A line that names a step or a field goes to that step; all else goes to
 * every step that asks.
 */
export const shareReply = (drafts: readonly Draft[], text: string): Draft[] => {
  const asking = drafts.filter(it => it.questions.length > 0)
  if (asking.length <= 1) return drafts.map(it => (asking.includes(it) ? { ...it, said: [...it.said, text] } : it))
  const lines = text.split('\n').map(line => ({ line, ...readLine(line) }))
  return drafts.map((draft, at) => {
    if (!asking.includes(draft)) return draft
    const own = lines.flatMap(({ line, number, field, value }) => {
      if (number === undefined && field === undefined) return [line]
      if (number !== undefined && number !== at + 1) return []
      if (field === undefined) return [value]
      const asks = draft.questions.some(it => isField(it.field, field))
      return asks ? [`${field}: ${value}`] : number === undefined && isAsked(asking, field) ? [] : [value]
    })
    return own.length === 0 ? draft : { ...draft, said: [...draft.said, own.join('\n')] }
  })
}

const isAsked = (asking: readonly Draft[], field: string) =>
  asking.some(it => it.questions.some(one => isField(one.field, field)))
const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const isField = (one: string, other: string) => plain(one) === plain(other)

const readLine = (line: string): { number?: number; field?: string; value: string } => {
  const [, number, field, value] = namedLine.exec(line) ?? []
  if (field !== undefined && value !== undefined)
    return { ...(number !== undefined && { number: Number(number) }), field: field.trim(), value }
  const [, only, rest] = /^\s*(?:step\s*)?(\d)\s*[.):]\s*(\S.*)$/i.exec(line) ?? []
  return only === undefined ? { value: line } : { number: Number(only), value: rest ?? '' }
}
