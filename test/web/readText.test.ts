import { describe, expect, test } from 'vitest'
import { readText } from '../../src/web/files/readText.ts'

/** Writes a text in an encoding which the platform only reads: by the one or two bytes that it reads as a character. */
const encode = (text: string, encoding: string): Uint8Array<ArrayBuffer> => {
  const bytesOf = new Map<string, number[]>()
  const decoder = new TextDecoder(encoding)
  const add = (...bytes: number[]) => {
    const read = decoder.decode(new Uint8Array(bytes))
    if (read.length === 1 && read !== '\ufffd' && !bytesOf.has(read)) bytesOf.set(read, bytes)
  }
  for (let one = 0; one < 256; one += 1) add(one)
  for (let first = 0x81; first < 0xff; first += 1) for (let second = 0x40; second < 0xff; second += 1) add(first, second)
  return new Uint8Array([...text].flatMap(it => bytesOf.get(it) ?? [63]))
}

const japanese = '次の会議は来週の月曜日です。資料を準備して、会議の前に送ってください。よろしくお願いします。'
const russian = 'Добрый день! Посмотрите, пожалуйста, счёт за ноябрь; оплата до конца недели.'
const texts: [encoding: string, text: string][] = [
  ['shift_jis', japanese],
  ['euc-jp', japanese],
  ['gb18030', '下次会议在星期一上午举行,请您提前准备好有关的资料,并且在开会之前发给我们大家。'],
  ['big5', '下次會議在星期一上午舉行,請您提前準備好有關的資料,並且在開會之前寄給我們大家。'],
  ['euc-kr', '다음 회의는 월요일 오전에 있습니다. 자료를 미리 준비해서 회의 전에 보내 주시기 바랍니다.'],
  ['koi8-r', russian],
  ['windows-1251', russian],
]

describe.each(texts)('a text in %s', (encoding, text) => {
  const bytes = encode(text, encoding)

  test('is shown as it was written', async () => {
    expect(await readText(new Blob([bytes]), 1_000)).toBe(text)
  })

  test('is shown as it was written when it is a table', async () => {
    const table = encode(`id;price;note\n1;20;${text}\n2;30;${text}\n`, encoding)
    expect(await readText(new Blob([table]), 1_000)).toBe(`id;price;note\n1;20;${text}\n2;30;${text}\n`)
  })

  test('is shown so far as it is read, in the middle of a character too', async () => {
    for (const cut of [1, 2, 3]) {
      const read = await readText(new Blob([bytes]), bytes.length - cut)
      expect(text.startsWith(read) && read.length >= text.length - cut).toBe(true)
    }
  })
})

test.each([
  ['Grüße aus Köln: die Straßen sind schön, überall blühen Bäume. Für Mädchen und Jungen wäre möglich, später zu kommen.'],
  ['À bientôt ! L’été dernier, nous étions à la plage près de Fréjus ; l’hôtel était très agréable, même complet à Noël.'],
  ['Mañana habrá reunión: ¿podría usted enviar también las páginas que faltan? El niño comió piña y pidió más después.'],
  ['Håll på så länge! På lördag åker vi till Åre för att åka skidor; även småbarnen får följa med på färden, är det sagt.'],
])('a text of Western Europe in Windows-1252 is shown as it was written: %s', async text => {
  expect(await readText(new Blob([encode(text, 'windows-1252')]), 1_000)).toBe(text)
})

test('bytes that prove no encoding are read as Windows-1252, as before', async () => {
  expect(await readText(new Blob([encode('Привет', 'koi8-r')]), 1_000)).toBe('ðÒÉ×ÅÔ')
  const noise = new Uint8Array(256 * 1_024).map((_, at) => (at * 7_919) % 251)
  expect(await readText(new Blob([noise]), noise.length)).toBe(new TextDecoder('windows-1252').decode(noise))
})
