// Sentences that tell a user which word does something. Code says them in each language; a translation could swap the words.

type Texts = { terms: string; cancel: string; refund: string; appeal: string }

const english: Texts = {
  terms: 'I found an agent for this. Read its terms, and say “yes” to hire it, “no” to decline it, or tell me what to change.',
  cancel: 'I have done nothing yet. To cancel the job, say “cancel”.',
  refund: 'I have done nothing yet. To ask for the money back, say “refund”.',
  appeal: 'I have done nothing yet. To object to the result, say “appeal”.',
}

/** A table row: the terms, then what cancels, asks for the money back and objects. The words of deeds stay English. */
const row = (terms: string, nothing: string, deeds: [cancel: string, refund: string, appeal: string]): Texts => {
  const [cancel, refund, appeal] = deeds.map(it => `${nothing} ${it}`)
  return { terms, cancel: cancel ?? '', refund: refund ?? '', appeal: appeal ?? '' }
}

const byLanguage: Record<string, Texts> = {
  de: row(
    'Ich habe einen Agenten dafür. Lesen Sie die Bedingungen; „ja“ beauftragt ihn, „nein“ lehnt ihn ab, oder sagen Sie, was anders sein soll.',
    'Ich habe noch nichts getan.',
    ['„cancel“ bricht den Auftrag ab.', '„refund“ verlangt das Geld zurück.', '„appeal“ beanstandet das Ergebnis.'],
  ),
  fr: row(
    "J'ai un agent pour cela. Lisez ses conditions : « oui » l'engage, « non » le refuse, ou dites ce qu'il faut changer.",
    "Je n'ai encore rien fait.",
    ['« cancel » annule le travail.', "« refund » redemande l'argent.", '« appeal » conteste le résultat.'],
  ),
  es: row(
    'Tengo un agente para esto. Lea las condiciones: «sí» lo contrata, «no» lo rechaza, o diga qué cambiar.',
    'Aún no he hecho nada.',
    ['«cancel» cancela el trabajo.', '«refund» pide la devolución del dinero.', '«appeal» reclama contra el resultado.'],
  ),
  it: row(
    'Ho un agente per questo. Legga le condizioni: «sì» lo ingaggia, «no» lo rifiuta, oppure dica che cosa cambiare.',
    'Non ho ancora fatto nulla.',
    ['«cancel» annulla il lavoro.', '«refund» chiede indietro il denaro.', '«appeal» contesta il risultato.'],
  ),
  pt: row(
    'Tenho um agente para isso. Leia as condições: “sim” contrata-o, “não” recusa-o, ou diga o que mudar.',
    'Ainda não fiz nada.',
    ['“cancel” cancela o trabalho.', '“refund” pede o dinheiro de volta.', '“appeal” contesta o resultado.'],
  ),
  nl: row(
    'Ik heb hier een agent voor. Lees de voorwaarden: “ja” huurt hem in, “nee” wijst hem af, of zeg wat er anders moet.',
    'Ik heb nog niets gedaan.',
    ['“cancel” breekt de opdracht af.', '“refund” vraagt het geld terug.', '“appeal” maakt bezwaar tegen het resultaat.'],
  ),
  pl: row(
    'Mam do tego agenta. Przeczytaj warunki: „tak” zatrudnia go, „nie” odrzuca, albo powiedz, co zmienić.',
    'Jeszcze nic nie zrobiłem.',
    ['„cancel” przerywa zlecenie.', '„refund” żąda zwrotu pieniędzy.', '„appeal” kwestionuje wynik.'],
  ),
  ru: row(
    'У меня есть агент для этого. Прочтите условия: «да» нанимает его, «нет» отклоняет, или скажите, что изменить.',
    'Я пока ничего не сделал.',
    ['«cancel» отменяет задание.', '«refund» требует вернуть деньги.', '«appeal» оспаривает результат.'],
  ),
  tr: row(
    'Bunun için bir temsilci var. Koşulları okuyun: “evet” onu tutar, “hayır” reddeder; ya da neyin değişeceğini söyleyin.',
    'Henüz bir şey yapmadım.',
    ['“cancel” işi iptal eder.', '“refund” parayı geri ister.', '“appeal” sonuca itiraz eder.'],
  ),
  zh: row('我找到了合适的代理。请阅读条款：说“是的”即雇用，说“不”即拒绝，或告诉我要改什么。', '我还没有做任何事。', [
    '说“cancel”取消任务。',
    '说“refund”要求退款。',
    '说“appeal”对结果提出异议。',
  ]),
  ja: row(
    'この作業のエージェントがあります。条件をお読みください。「はい」で依頼、「いいえ」で辞退、または変更点をお知らせください。',
    'まだ何もしていません。',
    ['「cancel」で作業を取り消します。', '「refund」で返金を求めます。', '「appeal」で結果に異議を申し立てます。'],
  ),
}

/** What leads to the terms of a proposal, in the user's language. Undefined for English, whose proposals say it themselves. */
export const termsIn = (language: string): string | undefined =>
  language === '' || language === 'en' ? undefined : (byLanguage[language] ?? english).terms

/** The deeds that a user must name with their own word. */
export type NamedDeed = Exclude<keyof Texts, 'terms'>
export const toNamedDeed = (deed: NamedDeed): string => english[deed]

const consentWord = /[“"«„「](?:yes|no|cancel|refund|appeal|pay|never mind)[”"»“」]|\bsay (?:yes|no)\b/i

/**
 * A sentence that tells which word does something, in the user's language where the table has it, and else as it is.
 * Undefined for every other text, which may be translated.
 */
export const deedTextIn = (text: string, language: string): string | undefined => {
  if (!consentWord.test(text)) return undefined
  const found = (['cancel', 'refund', 'appeal'] as const).find(it => english[it] === text)
  return (found && byLanguage[language]?.[found]) ?? text
}
