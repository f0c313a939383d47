/** Phrases with which a user corrects the words before them, as alternatives of a pattern. */
export const correctionPhrases =
  'no,? wait|wait,? no|no,? sorry|sorry,? no|sorry,? i mean(?:t)?|i mean(?:t)?|scratch that|actually|or rather'
