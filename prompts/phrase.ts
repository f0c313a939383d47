/** A text of the marketplace whose figures and names are replaced by {1}, {2} …, and the language to say it in. */
export type PhraseSlots = { text: string; language: string }

/** Says a text in another language. */
export const phrasePrompt = ({ text, language }: PhraseSlots) => ({
  instructions: `You translate what a marketplace tells its user into the language with the ISO 639 code ${JSON.stringify(language)}.
Answer with JSON only: {"text": string}.
- text: the translation, friendly and plain, with the same lines.
Each of {1}, {2} and so on stands for a figure or a name. Keep each exactly once and unchanged. Write no figure, name, amount, address or link of your own. Add nothing and leave nothing out.`,
  prompt: `Text:\n${JSON.stringify(text)}`,
})
