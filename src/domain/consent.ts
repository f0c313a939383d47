const yes =
  /^(?:y|yes|yep|yeah|yup|sure|ok|okay|confirm(?:ed)?|approve(?:d)?|agreed?|accept(?:ed)?|go(?: ahead)?|do it|hire(?: (?:it|them|him|her))?|please do|sounds good|deal)$/
const no = /^(?:n|no|nope|nah|cancel|stop|decline|reject|never ?mind|forget it|don'?t|do not|no thanks?|no thank you|not now)$/
const politeness = /\b(?:please|thanks|thank you|then|now|that'?s fine|fine|great|perfect)\b/g

/**
 * Reads a user's answer to a proposal. Code decides, never a model: only a message that says yes and nothing else is a yes.
 * Anything longer is a change of terms, which voids the proposal instead of accepting it.
 */
export const readConsent = (message: string): 'yes' | 'no' | 'change' => {
  const bare = message
    .toLowerCase()
    .replace(/[.,!?;:]+/g, ' ')
    .trim()
  const core = bare.replace(politeness, ' ').replace(/\s+/g, ' ').trim()
  const words = core || bare
  // "Yes, go ahead" and "no, cancel": each part has to say the same.
  const parts = words.split(/ (?=go ahead|do it|confirm|cancel|stop|yes|no\b)/)
  if (parts.every(part => yes.test(part))) return 'yes'
  if (parts.every(part => no.test(part))) return 'no'
  return 'change'
}
