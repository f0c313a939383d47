import { isObject } from '../../domain/objects.ts'
import { toLabel } from '../client/format.ts'
import { t } from '../client/words.ts'

const toWords = (value: unknown): string => {
  if (isObject(value) && typeof value.from === 'number')
    return typeof value.path === 'string' && value.path !== ''
      ? t('“{name}” of step {n}', { name: value.path.split('/').at(-1) ?? '', n: String(value.from) })
      : t('the result of step {n}', { n: String(value.from) })
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The input of a step in words, one value a line. A reference is named by its step; plain text stays as it is. */
export const toInputLines = (input: string): string[] => {
  try {
    const read: unknown = JSON.parse(input)
    return isObject(read) ? Object.entries(read).map(([name, value]) => `${toLabel(name)}: ${toWords(value)}`) : [input]
  } catch {
    return [input]
  }
}
