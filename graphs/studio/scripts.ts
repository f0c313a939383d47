/** A scripted agent: its offering with one input and one result, and what it delivers at each attempt (1 is the first). */
export type Script = {
  handle: string
  name: string
  field: string
  result: string
  deliver(attempt: number): Record<string, string>
}

/** The agents of the studio. Two of them translate, so that a request for a translation shows both. */
export const scripts: Script[] = [
  { handle: 'sky-watch', name: 'Weather forecast', field: 'city', result: 'forecast', deliver: () => ({ forecast: 'Sunny.' }) },
  {
    // Passes at the second attempt.
    handle: 'haiku-hut',
    name: 'Write a haiku',
    field: 'topic',
    result: 'haiku',
    deliver: (attempt): Record<string, string> => (attempt === 1 ? {} : { haiku: 'An old silent pond.' }),
  },
  { handle: 'lingua', name: 'Translate a text', field: 'text', result: 'translation', deliver: () => ({ translation: 'Hola.' }) },
  // Never passes, so the money goes back.
  { handle: 'blank-page', name: 'Translate a text', field: 'text', result: 'translation', deliver: () => ({}) },
]
