// Detects the language of a message: by its script, otherwise by counting its common function words.

export type Language = 'en' | 'de' | 'fr' | 'es' | 'it' | 'pt' | 'pl' | 'nl' | 'tr' | 'ru' | 'zh' | 'ja' | 'ko' | 'ar' | 'hi'

const scripts: [RegExp, Language][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Devanagari}/gu, 'hi'],
  [/\p{Script=Cyrillic}/gu, 'ru'],
]

const words = (text: string) => new Set(text.split(' '))
const functionWords: [Language, Set<string>][] = [
  [
    'de',
    words(
      'ich du er sie wir ihr mir mich dir uns der die das den dem ein eine einen einem und oder aber nicht kein keine ist sind war wie was wo wann warum welche welcher für mit von zu zum zur auf aus bei nach über unter heute morgen bitte danke können könnten kann möchte brauche hätte gerne mal auch noch ins im nur schon wird werden habe hast haben mein meine meinen ihnen euch bis etwas jemand',
    ),
  ],
  [
    'fr',
    words(
      'je tu il elle nous vous ils les des une est sont suis été avec pour dans sur pas plus que qui quoi où quand comment combien quel quelle mon ma mes ton votre notre le la du au aux et ou mais bonjour merci voudrais veux besoin peux pouvez faire moi toi cette ces demain aujourd hui s il plaît très bien',
    ),
  ],
  [
    'es',
    words(
      'yo tú él ella nosotros usted ustedes los las una uno unos es son está están estoy con para por sobre que qué quién dónde cuándo cómo cuánto cuál mi mis tu su sus el la del al y pero hola gracias quiero quisiera necesito puede puedes hacer mañana hoy muy bien hablo favor más también hay este esta tiempo hará no lo le se de en un',
    ),
  ],
  [
    'it',
    words(
      'io lui lei noi voi loro gli una uno è sono sei siamo con per su che chi dove quando come quanto quale mio mia il lo la del della dello al alla e ma ciao grazie vorrei voglio serve bisogno può puoi fare domani oggi molto bene non più anche questo questa dal di da in un mi ti ci',
    ),
  ],
  [
    'pt',
    words(
      'eu você ele ela nós vocês eles os as uma um é são está estão estou com para por sobre que quem onde quando como quanto qual meu minha o a do da no na ao e mas olá obrigado obrigada quero queria preciso pode fazer amanhã hoje muito bem não mais também este esta de em',
    ),
  ],
  [
    'pl',
    words(
      'ja ty on ona my wy jest są być mam ma nie tak dla ze na po przez do od i oraz ale co kto gdzie kiedy jak ile który która mój moja proszę dziękuję potrzebuję chcę chciałbym można jutro dziś bardzo dobrze się to ten ta',
    ),
  ],
  [
    'nl',
    words(
      'ik jij hij zij wij jullie mij mijn jouw het een en of maar niet geen is zijn was hoe wat waar wanneer waarom welke voor met van naar op uit bij over onder vandaag morgen alsjeblieft graag dank kunnen kan wil nodig heb hebt hebben ook nog wordt worden de te dat deze',
    ),
  ],
  [
    'tr',
    words(
      'ben sen o biz siz onlar bu şu bir ve veya ama ile için mi mı mu mü ne nasıl nerede neden kim hangi kaç evet hayır değil var yok çok daha en gibi kadar sonra önce bugün yarın lütfen istiyorum olarak bana benim sana bize olan eder misin misiniz yapar',
    ),
  ],
]
/**
 * Words that a request, a greeting or an answer has in one language only. One of them tells the language where no word is English.
 * No place or person has such a name.
 */
const telling: [Language, Set<string>][] = [
  [
    'de',
    words(
      'bitte danke dankeschön hallo guten nein jawohl ich möchte könnten könntest können kannst übersetze übersetzen wieviel welches welcher für nicht brauche abbrechen stornieren ändern stattdessen auftrag',
    ),
  ],
  [
    'fr',
    words(
      "bonjour bonsoir merci oui non voudrais pouvez pourriez peux peux-tu combien s'il plaît traduis traduire quel quelle annuler annulez plutôt est-ce qu'est-ce j'ai j'aimerais aujourd'hui besoin",
    ),
  ],
  [
    'es',
    words(
      'hola gracias sí quiero quisiera necesito puedes puede podrías podría cuánto cuál dónde cómo qué traduce traducir mañana cancela cancelar convertir convierte dime hazme buenos buenas días también',
    ),
  ],
  [
    'it',
    words(
      'ciao grazie sì vorrei voglio puoi può potresti potrebbe quanto quale dove traduci tradurre domani annulla annullare buongiorno perché anche dimmi',
    ),
  ],
  [
    'pt',
    words(
      'olá obrigado obrigada sim não quero queria preciso pode poderia consegue quanto qual onde traduzir traduz amanhã cancela cancelar você bom também diga',
    ),
  ],
  ['pl', words('proszę dziękuję tak dziękuje cześć dzień dobry potrzebuję chcę możesz przetłumacz ile jak jutro')],
  ['nl', words('alsjeblieft alstublieft bedankt hallo goedemorgen graag kunt kun vertaal hoeveel nodig morgen annuleer')],
  [
    'tr',
    words(
      'merhaba teşekkürler teşekkür lütfen evet hayır istiyorum istiyoruz misin misiniz mısın mısınız çevir çevirir nasıl kaç yarın iptal bana',
    ),
  ],
]
/** Signs that only one of the languages writes. */
const signs: [RegExp, Language][] = [
  [/[¿¡]/u, 'es'],
  [/ß/u, 'de'],
  [/[ğış]/u, 'tr'],
  [/[łąęśż]/u, 'pl'],
  [/[ãõ]/u, 'pt'],
]
const english = words(
  "i you he she it we they me my your his her our their the a an and or but not no is are was were be been am do does did have has had will would can could should with for from to of in on at by about into this that these those what which who whom where when why how much many some any please thanks more than then so if all just make get need want there here up out one two in's it's i'm don't",
)

const quoted = /["“”«»„][^"“”«»„]{1,4000}["“”«»„]|(?<![\p{L}\p{N}])'[^'\n]{2,2000}'(?![\p{L}\p{N}])/gu
const readChars = 400
/** Minimum share (0–1) of letters in another script. */
const scriptShare = 0.4
const minVotes = 2
/** Minimum share (0–1) of the words that vote for the language. */
const minShare = 0.25

/** The language whose script a text is written in. */
const byScript = (text: string): Language | undefined => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const [, language] =
    scripts.find(([script]) => {
      const found = text.match(script)?.length ?? 0
      return found > 0 && found >= letters * scriptShare
    }) ?? []
  return language
}

const count = (said: string[], known: ReadonlySet<string>) => said.filter(it => known.has(it)).length

/**
 * The language of a message, without the texts that it quotes. Undefined where no word tells: a name, a figure, "ok". Words with a
 * capital inside a sentence are names, and letters beside a digit are codes.
 */
export const tellLanguage = (message: string): Language | undefined => {
  const text =
    message
      .replace(quoted, ' ')
      .split(/[:：\n]/)[0]
      ?.slice(0, readChars) ?? ''
  const other = byScript(text)
  if (other) return other
  const plain = text.replace(/(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}’'-]+/gu, ' ').toLowerCase()
  const said = plain.match(/(?<![\p{L}\p{N}])\p{L}+(?:['’-]\p{L}+)*(?![\p{L}\p{N}])/gu)?.map(it => it.replace('’', "'")) ?? []
  const bare = said.flatMap(it => it.split(/['-]/))
  const [only, ...more] = telling.filter(([, words]) => said.length === 1 && count(said, words) === 1)
  if (only && more.length === 0) return only[0]
  const ofEnglish = Math.max(count(said, english), count(bare, english))
  const [best, votes] = functionWords
    .map(([language, words]) => {
      const own = bare.filter(it => words.has(it) && !(english.has(it) && ofEnglish > 1)).length
      const sure = count(said, telling.find(([it]) => it === language)?.[1] ?? new Set())
      const sign = signs.some(([it, of]) => of === language && it.test(plain)) ? 1 : 0
      return [language, own + sure + 2 * sign * Number(ofEnglish === 0), sure] as const
    })
    .reduce((a, b) => (b[1] > a[1] ? b : a))
  if (votes >= minVotes && votes > ofEnglish && votes >= said.length * minShare) return best
  return ofEnglish > 0 ? 'en' : undefined
}

/** The language of a message; English where no word tells another one. */
export const languageOf = (message: string): Language => tellLanguage(message) ?? 'en'
