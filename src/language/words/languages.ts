// English names of languages with two-letter codes, from the tables of the runtime.
const codes =
  `af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ky la
lo lt lv mk ml mn mr ms mt my ne nl no pa pl ps pt ro ru sk sl so sq sr sv sw ta te tg th tl tr uk ur uz vi xh yi zh zu`.split(
    /\s+/,
  )
const names = new Intl.DisplayNames(['en'], { type: 'language' })

/** ISO 639 codes by English name in lower case. */
export const codesByLanguage: ReadonlyMap<string, string> = new Map(
  codes.map(code => [(names.of(code) ?? code).toLowerCase(), code]),
)
