import { type Json, json } from '../../domain/json.ts'
import { splitWords } from '../../domain/words.ts'
import type { Property } from '../requirement.ts'
import { quotations } from './material.ts'
import { namesIn } from './proper.ts'

const literal = /\[[^[\]]{1,2000}(?:\[[^[\]]{0,500}\][^[\]]{0,500}){0,50}\]/g
const figures = /-?\d+(?:\.\d+)?(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)-?\d+(?:\.\d+)?)+/g
const mostItems = 200

const readLiteral = (text: string): Json[] => {
  try {
    return [json.parse(JSON.parse(text.replaceAll("'", '"')))]
  } catch {
    return []
  }
}

const toFigures = (text: string): Json => (text.match(/-?\d+(?:\.\d+)?/g) ?? []).slice(0, mostItems).map(Number)

/** The choices of the items that are said. */
const chosen = (message: string, { allowedItems }: Property): Json[] => {
  const text = ` ${splitWords(message).join(' ')} `
  return allowedItems.filter(it => text.includes(` ${splitWords(String(it)).join(' ')} `))
}

/** Lists that a message holds: as JSON, as figures in a row, as quotations, as names. */
export const readLists = (message: string, property: Property): Json[] => {
  const said = chosen(message, property)
  if (property.allowedItems.length > 0) return said.length > 0 ? [said] : []
  const literals = [...message.matchAll(literal)].flatMap(it => readLiteral(it[0]))
  const rows = [...message.matchAll(figures)].map(it => toFigures(it[0]))
  const texts = property.required ? [quotations(message), namesIn(message)].filter(it => it.length > 1) : []
  return [...literals, ...rows, ...texts]
}
