// Detects the language of a message: by its script, otherwise by counting its common function words.

export type Language = 'en' | 'de' | 'fr' | 'es' | 'it' | 'pt' | 'pl' | 'nl' | 'ru' | 'zh' | 'ja' | 'ko' | 'ar' | 'hi'

const scripts: [RegExp, Language][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Devanagari}/gu, 'hi'],
  [/\p{Script=Cyrillic}/gu, 'ru'],
]

const words = (text: string) => new Set(text.split(' '))
const votes: [Language, Set<string>][] = [
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
]
const english = words(
  "i you he she it we they me my your his her our their the a an and or but not no is are was were be been am do does did have has had will would can could should with for from to of in on at by about into this that these those what which who whom where when why how much many some any please thanks more than then so if all just make get need want there here up out one two in's it's i'm don't",
)

const quoted = /["“”«»„][^"“”«»„]{1,4000}["“”«»„]|(?<![\p{L}\p{N}])'[^'\n]{2,2000}'(?![\p{L}\p{N}])/gu
const readChars = 400
/** Minimum share (0–1) of letters in another script. */
const scriptShare = 0.4
const minVotes = 2

/** The language of a message, without the texts that it quotes. English is the default. */
export const languageOf = (message: string): Language => {
  const text =
    message
      .replace(quoted, ' ')
      .split(/[:：\n]/)[0]
      ?.slice(0, readChars) ?? ''
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  for (const [script, language] of scripts) {
    const found = text.match(script)?.length ?? 0
    if (found > 0 && found >= letters * scriptShare) return language
  }
  const said = text.toLowerCase().match(/\p{L}+(?:'\p{L}+)?/gu) ?? []
  const ofEnglish = said.filter(it => english.has(it)).length
  const [best, count] = votes
    .map(
      ([language, known]) => [language, said.filter(it => known.has(it) && !(english.has(it) && ofEnglish > 1)).length] as const,
    )
    .reduce((a, b) => (b[1] > a[1] ? b : a))
  return count >= minVotes && count > ofEnglish && count >= said.length * 0.25 ? best : 'en'
}

/** The answer to a user who writes in a language that is not supported. */
export const notUnderstood: Record<Exclude<Language, 'en'>, string> = {
  de: 'Ich verstehe hier zurzeit nur Englisch (English). Schreiben Sie mir bitte auf Englisch, zum Beispiel “weather in Berlin tomorrow”, oder lassen Sie den Betreiber ein Sprachmodell einrichten; dann verstehe ich auch Deutsch.',
  fr: 'Pour le moment, je ne comprends ici que l’anglais (English). Écrivez-moi en anglais, par exemple « weather in Paris tomorrow », ou demandez à l’exploitant de configurer un modèle de langue ; je comprendrai alors aussi le français.',
  es: 'Por ahora aquí solo entiendo inglés (English). Escríbame en inglés, por ejemplo «weather in Madrid tomorrow», o pida al operador que configure un modelo de lenguaje; entonces también entenderé español.',
  it: 'Per ora qui capisco solo l’inglese (English). Mi scriva in inglese, per esempio «weather in Rome tomorrow», oppure chieda al gestore di configurare un modello linguistico; allora capirò anche l’italiano.',
  pt: 'Por enquanto só entendo inglês (English) aqui. Escreva-me em inglês, por exemplo “weather in Lisbon tomorrow”, ou peça ao operador que configure um modelo de linguagem; então também entenderei português.',
  pl: 'Na razie rozumiem tu tylko angielski (English). Proszę napisać po angielsku, na przykład „weather in Warsaw tomorrow”, albo poprosić operatora o skonfigurowanie modelu językowego; wtedy zrozumiem też polski.',
  nl: 'Op dit moment begrijp ik hier alleen Engels (English). Schrijf me in het Engels, bijvoorbeeld “weather in Utrecht tomorrow”, of vraag de beheerder een taalmodel in te stellen; dan begrijp ik ook Nederlands.',
  ru: 'Сейчас я понимаю здесь только английский (English). Напишите, пожалуйста, по-английски, например “weather in Moscow tomorrow”, или попросите владельца сервиса подключить языковую модель: тогда я пойму и русский.',
  zh: '目前我在这里只懂英语（English）。请用英语写，例如 “weather in Beijing tomorrow”；如果运营者配置了语言模型，我也能懂中文。',
  ja: '今のところ、ここでは英語（English）だけが分かります。“weather in Tokyo tomorrow” のように英語で書いてください。運営者が言語モデルを設定すれば、日本語も分かるようになります。',
  ko: '지금은 여기에서 영어(English)만 이해합니다. “weather in Seoul tomorrow”처럼 영어로 써 주세요. 운영자가 언어 모델을 설정하면 한국어도 이해합니다.',
  ar: 'في الوقت الحالي أفهم هنا الإنجليزية (English) فقط. اكتب لي بالإنجليزية، مثلاً “weather in Cairo tomorrow”، أو اطلب من المشغّل إعداد نموذج لغوي، وعندها أفهم العربية أيضاً.',
  hi: 'अभी मैं यहाँ केवल अंग्रेज़ी (English) समझता हूँ। कृपया अंग्रेज़ी में लिखें, जैसे “weather in Delhi tomorrow”, या संचालक से भाषा मॉडल लगाने को कहें; तब मैं हिन्दी भी समझूँगा।',
}
