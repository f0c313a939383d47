import type { JsonObject } from '../../../src/domain/json.ts'
import type { TurnCall } from '../../../src/domain/runs/turnCall.ts'
import { toLabel } from '../../../src/domain/text/labelled.ts'
import { toProperties } from '../../../src/language/fields/requirement.ts'
import { splitWords, toTerms } from '../../../src/language/words/words.ts'
import { type Beside, keepSentences } from './sentences.ts'

// Which questions of a model a user is asked. What may not be asked in its words is asked in those of code.

/** What nobody is asked for, except by an input of that name. */
const secrets =
  /password|passwort|passwd|mot de passe|contraseña|senha|parola|şifre|парол|密码|パスワード|\bpin\b|\bcvv\b|seed|mnemonic|private key|privat\p{L}+ schlüssel|clé privée|clave privada|chave privada|chiave privata|私钥|秘密鍵/iu
const isQuestion = (text: string) => /(?:[?？؟]|か。?|ください。?)$/u.test(text)

/** Whether a question has all words of the name of an input. */
const names = (question: ReadonlySet<string>, name: string): boolean => {
  const terms = toTerms(toLabel(name))
  return terms.length > 0 && terms.every(it => question.has(it))
}

/**
 * The questions of a call, by input, in the words of the model; empty where they claim something, ask for a secret, or ask for
 * another input of the form instead. A leaf of an object is asked for with its object.
 */
export const keepAsks = ({ ask }: TurnCall, requirement: JsonObject, beside: Beside): Record<string, string> => {
  const inputs = toProperties(requirement).map(it => it.name)
  return Object.fromEntries(
    ask.map(({ name: path, words }) => {
      const name = path.replace(/[.[].*$/s, '')
      const kept = keepSentences(words, { ...beside, named: splitWords(toLabel(name)) })
      const terms = new Set(toTerms(kept))
      const isOther = !names(terms, name) && inputs.some(it => it !== name && names(terms, it))
      const isSecret = secrets.test(kept) && !secrets.test(toLabel(name))
      return [name, isQuestion(kept) && !isOther && !isSecret ? kept : '']
    }),
  )
}
