const classes = /\.(-?[_a-z][\w-]*)/gi

/** The end of the block that opens at an index. */
const endOf = (css: string, open: number): number => {
  let depth = 0
  for (let at = open; at < css.length; at++) {
    if (css[at] === '{') depth += 1
    if (css[at] === '}') depth -= 1
    if (depth === 0) return at + 1
  }
  return css.length
}

/** Rules that hold others, and rules without a selector. */
const grouping = /^@(?:media|supports)\b/

/** What the whole style sheet brings after the first paint: motion, and the font whose request the first paint would pay for. */
const unneeded = /^@(?:media (?:print|\(prefers-reduced-motion: no-preference\))|keyframes|font-face(?=.*url\())/

/** The selectors of a list that apply. A list with parentheses is not taken apart. */
const applying = (selectors: string, known: ReadonlySet<string>): string => {
  const used = selectors.split(',').filter(it => [...it.matchAll(classes)].every(([, name = '']) => known.has(name)))
  return used.length > 0 && selectors.includes('(') ? selectors : used.join(',')
}

const select = (css: string, known: ReadonlySet<string>): string => {
  let kept = ''
  for (let at = 0; at < css.length; ) {
    const open = css.indexOf('{', at)
    if (open < 0) break
    const end = endOf(css, open)
    const [head, body] = [css.slice(at, open).trim(), css.slice(open, end)]
    at = end
    if (unneeded.test(head + body)) continue
    if (grouping.test(head)) {
      const inside = select(body.slice(1, -1), known)
      if (inside) kept += `${head}{${inside}}`
    } else {
      const used = head.startsWith('@') ? head : applying(head, known)
      if (used) kept += used + body
    }
  }
  return kept
}

/**
 * Returns the rules of a style sheet that a text of HTML needs: those with a selector that has only classes which occur in it.
 * @param css without braces in strings
 */
export const firstStyle = (css: string, html: string): string => {
  const known = new Set([...html.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(/\s+/)))
  return select(css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\s+/g, ' '), known)
}
