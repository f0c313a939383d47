import { byPattern } from './form.ts'

/** Web addresses with their scheme. The full stop of a sentence is no part of one. */
export const urls = byPattern({
  form: 'url',
  pattern: /\bhttps?:\/\/[^\s<>"'`)\]\uE000]*[^\s<>"'`)\].,;:!?\uE000]/gi,
  examples: {
    'look at https://example.org/a?b=1, please.': ['https://example.org/a?b=1'],
    '(http://a.example) and HTTPS://B.example/x': ['http://a.example', 'HTTPS://B.example/x'],
  },
  counterExamples: ['ftp://a.example', 'the http protocol', 'example.org'],
})
