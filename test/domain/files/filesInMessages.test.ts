import { expect, test } from 'vitest'
import { assignFiles, takesSome } from '../../../src/domain/files/assignFiles.ts'
import { splitFileLinks, withFileLinks } from '../../../src/domain/files/fileLinks.ts'
import { fileMembersOf, withoutFileMembers } from '../../../src/domain/files/fileMembers.ts'
import { takesType, toTypeWords } from '../../../src/domain/files/fileTypes.ts'

const idOf = (digit: string) => `file_${digit.repeat(32)}`
const fileOf = (digit: string, name: string, mediaType: string) => ({ id: idOf(digit), name, mediaType, bytes: 1_000 })
const logo = fileOf('a', 'logo.png', 'image/png')
const photo = fileOf('b', 'photo.jpg', 'image/jpeg')
const report = fileOf('c', 'report.pdf', 'application/pdf')

const file = (contentMediaType?: string) => ({ type: 'string', format: 'file', ...(contentMediaType && { contentMediaType }) })
const membersOf = (properties: object, required: string[] = []) =>
  fileMembersOf(JSON.parse(JSON.stringify({ type: 'object', properties, required })))
const given = (files: (typeof logo & { member?: string })[], words = '') => ({ given: files, earlier: [], words, known: {} })

test('a message keeps its files in its text, and is read without them', () => {
  const message = withFileLinks('Make this smaller', [logo, { id: idOf('d'), name: 'a](b)\n.png' }])
  expect(splitFileLinks(message)).toEqual({
    words: 'Make this smaller',
    files: [
      { id: logo.id, name: 'logo.png' },
      { id: idOf('d'), name: 'a b .png' },
    ],
  })
  expect(splitFileLinks('No [link](https://example.com) here ')).toEqual({
    words: 'No [link](https://example.com) here ',
    files: [],
  })
})

test('a file that an edit or an order names for a member belongs to that member', () => {
  const order = `Hire a for the "b" service, task: {"before":"${logo.id}","side":200,"pages":["${photo.id}","${report.id}"]}`
  expect(splitFileLinks(order)).toEqual({
    words: 'Hire a for the "b" service, task: {"side":200}',
    files: [
      { id: logo.id, name: '', member: 'before' },
      { id: photo.id, name: '', member: 'pages' },
      { id: report.id, name: '', member: 'pages' },
    ],
  })
  expect(splitFileLinks(`{"after":"${logo.id}"}`).words).toBe('')
  expect(splitFileLinks(`clean f() {} {"after":"${logo.id}", "before":"${photo.id}"}`).words).toBe('clean f() {}')
  const members = membersOf({ before: file(), after: file() })
  expect(assignFiles(members, given([{ ...logo, member: 'after' }])).values).toEqual({ after: logo.id })
})

test('each file goes to the first free member that takes its type', () => {
  const members = membersOf({ picture: file('image/*'), document: file('application/pdf') })
  expect(assignFiles(members, given([report, logo]))).toEqual({
    values: { picture: logo.id, document: report.id },
    unclear: [],
    leftOut: [],
  })
})

test('files of one type fill as many members in order, and a list takes them all', () => {
  expect(assignFiles(membersOf({ before: file(), after: file() }), given([logo, photo])).values).toEqual({
    before: logo.id,
    after: photo.id,
  })
  expect(
    assignFiles(membersOf({ pictures: { type: 'array', items: file('image/*') } }), given([logo, report, photo])),
  ).toMatchObject({
    values: { pictures: [logo.id, photo.id] },
    leftOut: [report],
  })
})

test('where two files fit one place, the words decide or the user is asked', () => {
  const members = membersOf({ picture: file('image/*') }, ['picture'])
  expect(assignFiles(members, given([logo, photo], 'make it smaller'))).toMatchObject({
    values: {},
    unclear: [{ files: [logo, photo] }],
    leftOut: [],
  })
  expect(assignFiles(members, given([logo, photo], 'make the photo smaller'))).toMatchObject({
    values: { picture: photo.id },
    leftOut: [logo],
  })
})

test.each([
  ['count the words of the pdf', [logo, report, photo], { document: report.id }],
  ['use the file from before', [report], { document: report.id }],
  ['and this picture', [photo, logo, report], { picture: photo.id }],
  ['a smaller picture, please', [report, logo], {}],
])('“%s” takes of the earlier files those it speaks of', (words, earlier, values) => {
  const members = membersOf({ picture: file('image/*'), document: file('application/pdf') })
  expect(assignFiles(members, { given: [], earlier, words, known: {} }).values).toEqual(values)
})

test('“both files” are the two newest in the order in which they came', () => {
  const members = membersOf({ before: file(), after: file() })
  expect(
    assignFiles(members, { given: [], earlier: [photo, logo, report], words: 'compare both files', known: {} }).values,
  ).toEqual({
    before: logo.id,
    after: photo.id,
  })
})

test('a known file stays until another takes its place', () => {
  const members = membersOf({ picture: file('image/*') })
  const known = { picture: logo.id, side: 200 }
  expect(assignFiles(members, { ...given([]), known }).values).toEqual({ picture: logo.id })
  expect(assignFiles(members, { ...given([photo]), known }).values).toEqual({ picture: photo.id })
})

test('a file that is larger than the seller takes fits nowhere', () => {
  const members = membersOf({ picture: { ...file(), maxBytes: 999 } })
  expect([takesSome(members, [logo]), assignFiles(members, given([logo])).leftOut]).toEqual([false, [logo]])
})

test('a media type is matched exactly, by its family, or in a list', () => {
  expect([takesType('image/*', 'image/png'), takesType('text/csv, text/plain', 'text/plain; charset=utf-8')]).toEqual([
    true,
    true,
  ])
  expect([takesType('', 'a/b'), takesType('image/png', 'image/jpeg'), takesType('image/*', 'imagex/png')]).toEqual([
    true,
    false,
    false,
  ])
  expect([toTypeWords('application/pdf, text/plain'), toTypeWords('image/*'), toTypeWords('')]).toEqual([
    'a PDF or a text',
    'a picture',
    'a file',
  ])
})

test('readers of words see a form without its file members', () => {
  const form = { type: 'object', required: ['picture', 'side'], properties: { picture: file(), side: { type: 'integer' } } }
  expect(withoutFileMembers(form)).toEqual({ type: 'object', required: ['side'], properties: { side: { type: 'integer' } } })
})
