import { byPattern } from './form.ts'

/** Paths of files and folders, and file names with their ending. */
export const paths = byPattern({
  form: 'path',
  pattern:
    /(?<![\p{L}\p{N}:/.@])(?:~?\/|\.{1,2}\/|[A-Z]:\\)?[\p{L}\p{N}_.-]+(?:[/\\][\p{L}\p{N}_.-]+)+\/?(?![\p{L}\p{N}@:])|(?<![\p{L}\p{N}:/.@])~?\/[\p{L}\p{N}_-][\p{L}\p{N}_.-]*|(?<![\p{L}\p{N}:/.@])[\p{L}\p{N}_-]+\.(?:pdf|docx?|xlsx?|csv|txt|md|json|ya?ml|toml|ts|js|py|log|zip|png|jpe?g)(?![\p{L}\p{N}])/gu,
  isReal: said => /\p{L}/u.test(said) && !/^(?:and|either|he|his|a)\/(?:or|she|her|an)$|^\p{L}\/\p{L}$/iu.test(said),
  alike: said => [said.replace(/\.$/, '')],
  examples: { 'list docs/guide please': ['docs/guide'], 'open /etc/hosts': ['/etc/hosts'], 'read notes.md now': ['notes.md'] },
  counterExamples: ['https://example.org/a', 'and/or', '1/2 cup', 'hello there'],
})
