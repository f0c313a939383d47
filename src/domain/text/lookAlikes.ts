/**
 * Letters and digits of other scripts that look like those of ASCII: what they look like, and their code points. Source: Unicode
 * 15.0, security/confusables.txt (UTS #39, Unicode License v3), as the skeletons of ICU 72. Left out are characters that NFKD
 * already turns into ASCII. Capital I, i, l and 1 are one letter here, like 0 and o, and 5 and s.
 */
const table = `
2 1a7 3e8 14bf a644 a6ef a75a
3 1b7 21c 417 4e0 2ccc a76a a7ab 118ca 16f3b
4 13ce 118af
6 431 13ee 2cd2 118d5
7 104d2 118c6
8 222 223 9ea a6a 1031a 1e8cb
9 9ed a67 b68 d6d 2cca a76e 118ac 118cc 118d6
a 251 391 3b1 410 430 13aa 15c5 a4ee 102a0 16f40
b 181 184 392 412 42c 13cf 13f4 1472 1488 15af 15f7 a4d0 a7b4 10282 102a1 10301
c 187 421 441 13df 1d04 2ca4 2ca5 a4da abaf 102a2 10302 10415 1043d 1051c 118e9 118f2
d 18a 501 13a0 13e7 146f 1487 15de 15ea a4d2 a4d3
e 395 415 435 4bd 13ac 2d39 a4f0 ab32 10286 118a6 118ae
f 3dc 584 15b4 1e9d a4dd a798 a799 ab35 10287 102a5 10525 118a2 118c2
g 18d 193 261 50c 581 13c0 13f3 1d83 a4d6
h 397 41d 4bb 570 13bb 13c2 157c 2c8e a4e7 102cf
j 37f 3f3 408 458 13ab 148d a4d9 a7b2
k 198 39a 41a 13e6 16d5 2c94 a4d7 10518
l 131 196 1c0 1c3 269 26a 399 3b9 406 456 4c0 4cf 5d5 5df 5f1 627 661 6f1 7ca 13a5 13de 14aa 16c1 2c92 2cd0
l 2d4f 2d51 a4e1 a4f2 a647 ab75 1028a 10309 10320 1041b 10526 118a3 118b2 118c3 16f16 16f28 1e8c7
m 39c 3fa 41c 13b7 15f0 16d6 2c98 a4df 102b0 10311 11700 118e3
n 39d 578 57c 2c9a a4e0 10513
o 39f 3bf 3c3 41e 43e 555 585 5e1 647 665 6be 6c1 6d5 6f5 7c0 966 9e6 a66 ae6 b20 b66 be6 c66 ce6 d20 d66 e50
o ed0 101d 1040 10ff 12d0 13a4 1d0f 1d11 2c9e 2c9f 2d54 3007 a4f3 ab3d 10292 102ab 10404 1042c 104c2 104ea
o 10516 114d0 118b5 118c8 118d7 118e0
p 1a4 3a1 3c1 420 440 13e2 146d 1486 2ca2 2ca3 a4d1 10295
q 51b 563 566 2d55
r 1a6 433 491 13a1 13d2 1587 1d26 2c85 a4e3 ab47 ab48 ab81 104b4 16f35
s 1bc 1bd 405 455 54f 13d5 13da a4e2 a731 abaa 10296 10420 10448 118bb 118c1 16f3a
t 1ac 3a4 422 13a2 2ca6 a4d4 10297 102b1 10315 118bc 16f0a
u 28b 3c5 54d 57d 1200 144c 1467 1d1c a4f4 a79f ab4e ab52 104ce 104f6 118b8 118d8 16f42
v 3bd 474 475 5d8 667 6f7 13d9 142f 1d20 2d38 a4e6 a6df aba9 1051d 11706 118a0 118c0 16f08
w 26f 461 51c 51d 561 13b3 13d4 1d21 a4ea ab83 1170a 1170e 1170f 118e6 118ef
x 3a7 425 445 1541 157d 16b7 2cac 2d5d a4eb a7b3 10290 102b4 10317 10322 10527 118ec
y 1b3 263 28f 3a5 3b3 423 443 4ae 4af 10e7 13a9 13bd 1d8c 1eff 2ca8 a4ec ab5a 102b2 118a4 118dc 16f43
z 396 13c3 1d22 a4dc ab93 102f5 118a9 118c4 118e5
aa a732 a733
ae c6 e6 4d4 4d5
ao a734 a735
au a736 a737
av a738 a739 a73a a73b
ay a73c a73d
bl 42b
dz 2a3
ll 1c1 5f0
lo 42e
ls 2aa
lz 2ab
oe 152 153
oo a698 a699 a74e a74f
t3 a728
tf a777
ts 2a6
ue 1d6b
uo ab63
`

/** What a character looks like, by the character. */
export const confusables: ReadonlyMap<string, string> = new Map(
  table
    .trim()
    .split('\n')
    .flatMap(line => {
      const [looksLike = '', ...codes] = line.split(' ')
      return codes.map(code => [String.fromCodePoint(Number.parseInt(code, 16)), looksLike] as const)
    }),
)

/** Characters that are easily mistaken for each other in a handle. */
const alikes: Record<string, string> = { _: '-', '.': '-', '0': 'o', '1': 'l', i: 'l', '5': 's' }

/** Folds a handle, so that look-alikes are equal: `sh0p_x` and `Shop-X`. */
export const foldHandle = (handle: string): string => handle.toLowerCase().replace(/[_.01i5]/g, char => alikes[char] ?? char)

/** Normalization may make a text eighteen times as long, and an index row is limited. */
const lookChars = 200

/**
 * What a text looks like: letters and digits only, in lower case, without marks, look-alikes of other scripts as ASCII. Two
 * texts of one look may be taken for each other (UTS #39, section 4). Not for display.
 */
export const lookOf = (text: string): string => {
  const letters = [...text.normalize('NFKD')].map(it => confusables.get(it) ?? it).join('')
  const plain = foldHandle(letters.normalize('NFKD')).replace(/[^\p{L}\p{N}]/gu, '')
  const look = plain === '' ? text.trim() || '?' : plain.replace(/rn/g, 'm').replace(/vv/g, 'w')
  return look.slice(0, lookChars)
}

/** A handle whose separators are ignored too: `tall-shop`, `tallshop` and `ta11--Shop` are one handle to a reader. */
export const handleKeyOf = (handle: string): string => foldHandle(handle).replaceAll('-', '')

const alphabet = [...'abcdefghjklmnopqrstuvwxyz2346789']
/** Shorter handles have too many neighbours that are other words. */
const minChars = 5

/** The keys that differ from a handle's key by one character: one more, one less, another one, or two exchanged. */
export const neighboursOf = (key: string): string[] => {
  if (key.length < minChars) return []
  const splits = Array.from({ length: key.length + 1 }, (_, at) => [key.slice(0, at), key.slice(at)] as const)
  const found = splits.flatMap(([head, tail]) => [
    ...(tail ? [head + tail.slice(1)] : []),
    ...(tail.length > 1 ? [head + tail.charAt(1) + tail.charAt(0) + tail.slice(2)] : []),
    ...alphabet.flatMap(letter => [head + letter + tail, ...(tail ? [head + letter + tail.slice(1)] : [])]),
  ])
  return [...new Set(found)].filter(it => it !== key)
}
