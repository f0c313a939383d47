import { byPattern } from './form.ts'

/** Names of accounts and channels with their sign. The second way to write one leaves the sign out. */
export const handles = byPattern({
  form: 'handle',
  pattern: /(?<![\p{L}\p{N}@#/])[@#](?=[\p{L}\p{N}_]*\p{L})[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,48}[\p{L}\p{N}_]/gu,
  alike: said => [said.slice(1)],
  examples: { 'ask @ann_b in #team-chat.': ['@ann_b', '#team-chat'] },
  counterExamples: ['ann@home', 'flat #12', 'C# code'],
})
