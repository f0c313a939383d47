import { byPattern } from './form.ts'

/** E-mail addresses. */
export const emails = byPattern({
  form: 'email',
  pattern: /[\p{L}\p{N}_.+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}/gu,
  examples: { 'mail ann.b+c@mail.example.org.': ['ann.b+c@mail.example.org'] },
  counterExamples: ['@ann', 'ann@home', 'me @ noon'],
})
