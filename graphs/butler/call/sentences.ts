import { tellLanguage } from '../../../src/language/words/language.ts'
import { spokenNumbers } from '../../../src/language/words/numerals.ts'
import { splitWords } from '../../../src/language/words/words.ts'

// Which sentences of a model a user may read. Code says what was done, what things cost and how to agree.

/** Words of state and praise by language, as beginnings of words. In any other language no sentence of a model is said. */
const claims: Record<string, string> = {
  en: 'hire|paid|pay|charg|settl|refund|cancel|deliver|finish|complet|done|book|sent|escrow|free|cheap|best|guarant|trust|verif|official|safe|secur|already|nothing|never|approv|agree|confirm|transfer|owe|balance|wallet|promis|recommend',
  de: 'beauftrag|bezahl|zahl|koste|erstatt|stornier|abgebroch|geliefert|fertig|erledigt|gebucht|gesendet|gesandt|überwies|gratis|kostenlos|billig|günstig|beste|garant|sicher|geprüft|offiziell|bereits|schon|nichts|nie|zustimm|bestätig|guthaben|versprech|empfehl',
  fr: 'embauch|engag|pay|coût|rembours|annul|livr|termin|fini|réserv|envoy|gratuit|meilleur|moins cher|garant|sûr|vérif|officiel|déjà|rien|jamais|accept|confirm|solde|promet|recommand',
  es: 'contrat|pag|cuest|reembols|cancel|entreg|termin|complet|reserv|envi|gratis|mejor|barat|garant|segur|verific|oficial|ya |nada|nunca|acept|confirm|saldo|promet|recom',
  it: 'assunt|ingaggi|pag|cost|rimbors|annull|consegn|finit|complet|prenot|inviat|gratis|gratuit|miglior|economic|garant|sicur|verific|ufficial|già|niente|nulla|mai|accett|conferm|saldo|promett|consigli',
  pt: 'contrat|pag|cust|reembols|cancel|entreg|termin|complet|reserv|envi|grátis|gratuit|melhor|barat|garant|segur|verific|oficial|já|nada|nunca|aceit|confirm|saldo|promet|recom',
  nl: 'ingehuur|betaal|kost|terug|geannuleer|gelever|klaar|voltooi|geboek|verzond|gratis|beste|goedkoop|garand|veilig|officieel|al |niets|nooit|akkoord|bevestig|saldo|beloof|aanbevel',
  pl: 'zatrud|zapłac|płac|koszt|zwr|anulow|dostarcz|gotow|zakończ|zarezerw|wysłan|darmow|najlepsz|tani|gwarant|bezpiecz|oficjal|już|nic|nigdy|potwierdz|saldo|polec',
  ru: 'нан|оплач|оплат|плат|стои|верн|возвра|отмен|достав|готов|заверш|заброни|отправ|бесплат|лучш|дешев|гарант|безопас|официал|уже|ничего|никогда|соглас|подтвер|баланс|рекоменд',
  tr: 'tut|öde|ücret|iade|iptal|teslim|bitti|tamam|rezerv|gönder|bedava|en iyi|ucuz|garanti|güven|resmi|zaten|hiçbir|asla|onay|kabul|bakiye|söz ver|öner',
  zh: '雇|付|钱|费|退|取消|交付|完成|预订|发送|免费|最好|便宜|保证|安全|官方|已|没有|从不|同意|确认|余额|推荐',
  ja: '雇|支払|料金|返金|取消|キャンセル|納品|完了|予約|送信|送りました|無料|最高|最安|保証|安全|公式|すでに|既に|何も|決して|同意|確認しました|残高|おすすめ',
  ko: '고용|지불|결제|비용|환불|취소|전달|완료|예약|보냈|무료|최고|저렴|보장|안전|공식|이미|아무것도|절대|동의|확인|잔액|추천',
  ar: 'وظف|دفع|تكلف|استرد|ألغ|إلغاء|سلم|اكتمل|حجز|أرسل|مجان|أفضل|أرخص|ضمان|آمن|رسمي|بالفعل|لا شيء|أبد|وافق|أكد|رصيد|أوصي',
  hi: 'नियुक्त|भुगतान|लागत|वापस|रद्द|वितरित|पूरा|बुक|भेज|मुफ़्त|सर्वश्रेष्ठ|सस्त|गारंटी|सुरक्षित|आधिकारिक|पहले ही|कुछ नहीं|कभी|सहमत|पुष्टि|शेष|सिफारिश',
}

/** Words that agree or decline. What a user says to agree stands in texts of code only. */
const consentWords =
  /(?<![\p{L}\p{N}])(?:yes|yeah|ok|okay|ja|oui|sí|sì|sim|tak|да|evet|はい|是的|好的|네|نعم|हाँ|हां)(?![\p{L}\p{N}])|["“„«'‘](?:no|nein|non|não|nee|nie|нет|いいえ|不|아니요|لا|नहीं)["”»'’]/iu

/** A mark of a link, an address, a handle, a hash, a file name, or a word of a program. */
const nameMark =
  /https?:|www\.|[@#]\p{L}|0x[0-9a-f]{4}|[\p{L}\p{N}]+[_\\/]\p{L}|\p{L}+\.\p{L}{2,}|[a-z0-9]+(?:-[a-z0-9]+)*-\d+|[<>{}[\]`|*=]/iu

const aroundNames = /[\s,;()"'“”„«»‘’「」]+/u
const endOfSentence = /[.!?:…。！？]+$/u

/** Links, addresses, handles, hashes, file names and words of a program in a text, each as it stands there. */
const namesIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(aroundNames)
    .map(it => it.replace(endOfSentence, ''))
    .filter(it => nameMark.test(it))

/** A sentence that repeats this many words of a listing in a row is the listing's own. */
const echoWords = 5
const runsOf = (text: string): string[] => {
  const words = splitWords(text)
  return words.slice(echoWords - 1).map((_, at) => words.slice(at, at + echoWords).join(' '))
}

const claimsOf = (language: string): RegExp | undefined => {
  const parts = claims[language]
  if (!parts) return undefined
  const isSpaced = !['zh', 'ja', 'ko', 'ar', 'hi'].includes(language)
  return new RegExp(isSpaced ? String.raw`(?<!\p{L})\p{L}{0,4}(?:${parts})` : parts, 'iu')
}

/** Whether a sentence claims something in a language that its own words tell. */
const claimsIn = (sentence: string): boolean => {
  const told = tellLanguage(sentence)
  return told !== undefined && (claimsOf(told)?.test(sentence) ?? true)
}

/** "This one" counts nothing. */
const pronounOne = /\b(?:this|that|which|the)(?: \p{L}+)? one\b(?! (?:usdc|dollars?|euros?|cents?|day|hour|minute|week))/giu
const maxSentences = 3
const maxChars = 280

/** The sentences of a text, each with the blanks after it. */
export const toSentences = (text: string, language: string): string[] =>
  [...new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text)].map(it => it.segment)

/**
 * What a sentence may repeat: what the user `said`, and figures of the `results` that the model was shown. What it may not: texts
 * of `strangers`. A question may have words like those by which an input is `named`: "When is it delivered?" for its delivery date.
 */
export type Beside = { said: string; results?: string; strangers: string[]; language: string; named?: string[] }

/** Words that begin alike in so many letters are forms of one word. */
const stemChars = 5
const withoutNamed = (sentence: string, named: string[]): string =>
  /[?？]\s*$/.test(sentence)
    ? sentence.replace(/\p{L}+/gu, word => {
        const lower = word.toLowerCase()
        const isNamed = named.some(it => it === lower || (it.length >= stemChars && lower.startsWith(it.slice(0, stemChars))))
        return isNamed ? '' : word
      })
    : sentence

/**
 * The sentences of a model that a user reads: without a name or link that the user did not say, or a figure that neither the user
 * nor a result has, without a word of state, money or consent, and without the words of a listing.
 */
export const keepSentences = (words: string, { said, results = '', strangers, language, named = [] }: Beside): string => {
  const claim = claimsOf(language) ?? claimsOf(language.slice(0, 2))
  if (!claim || words.trim() === '') return ''
  const english = claimsOf('en')
  const told = `${said}\n${results}`
  const known = spokenNumbers(told)
  const ownNames = new Set(namesIn(said))
  const foreign = new Set(strangers.flatMap(runsOf))
  const isClaim = (text: string) => claim.test(text) || claimsIn(text) || english?.test(text)
  const isKept = (sentence: string) =>
    sentence.length <= maxChars &&
    !isClaim(withoutNamed(sentence, named)) &&
    !consentWords.test(sentence) &&
    namesIn(sentence).every(it => ownNames.has(it)) &&
    (sentence.match(/\d+/g) ?? []).every(it => told.includes(it)) &&
    [...spokenNumbers(sentence.replace(pronounOne, ''))].every(it => known.has(it)) &&
    runsOf(sentence).every(it => !foreign.has(it))
  return toSentences(words.replace(/\s+/g, ' '), language)
    .map(it => it.trim())
    .filter(it => it !== '' && isKept(it))
    .slice(0, maxSentences)
    .join(' ')
}
