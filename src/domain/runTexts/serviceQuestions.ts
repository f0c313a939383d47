import { toOwnWords } from '../text/ownWords.ts'

// Reproaches and questions about money and data are said to the service. No offering of the market answers them.

const maxChars = 200
const polite = `(?:please |pls |hey |hi |hello |so |wait |(?:can|could|will|would) you (?:please )?|i (?:want|would like) you to |i demand that you )*`
const own = `(?:all )?(?:of )?my (?:personal |private |own |user )?`

const handle = String.raw`(?:(?:the |this |that )?(?:agent|seller)(?: @?[\w.-]+)?|@[\w.-]+|[a-z\d]+(?:[-_.][a-z\d]+)+|[a-z]+\d+|him|her|them)`

const topics: { asked: RegExp; say: string }[] = [
  {
    asked: new RegExp(
      String.raw`^\W*${polite}(?:how (?:can|do) i |please )*(?:un-?block|block|ban|blacklist|mute|ignore) ${handle}(?: (?:for me|please|again|now|from now on))*\W*$`,
      'i',
    ),
    say:
      'I cannot do this from a conversation. “Block” on the page of the agent does it, or ' +
      '`market mark HANDLE blocked`; `market mark HANDLE none` takes it back. A blocked agent is not found, proposed or hired for you.',
  },
  {
    asked:
      /^(?:\W*(?:so|and|but|well|ok|hey|haha?|oh|no|wait|omg|wow))*\W*(?:(?:this|that|it|you|all of (?:this|it))(?: is| are|['’]s|['’]re)|what) (?:just |all |such )?(?:an? )?(?:total |complete |big )?(?:scam|fraud|rip-?off|swindle|thief|thieves|crooks?|scammers?|theft)\b|\byou (?:have |just )?(?:stole|stolen|robbed|cheated|scammed|ripped|swindled|took)\b(?: (?:me|us|my|our|off))/i,
    say:
      'I am sorry that it looks so. I pay only after your yes to a proposal, or within a mandate that you set. Ask ' +
      '“what did I spend?” to see every payment, and say “refund” for a job that went wrong.',
  },
  {
    asked:
      /\b(?:charg\w*|debit\w*|bill\w*|tak\w*|draw\w*|us\w*)\b.{0,40}\b(?:my|a|any|our) (?:credit |debit |bank )?(?:cards?|bank accounts?|paypal)\b|\b(?:have|store|keep|need|save) (?:my|a) (?:credit |debit )?card\b/i,
    say:
      'No. I have no card or bank account of yours. A hire is paid in USDC from your wallet here, at the price of the ' +
      'proposal, and only after your yes or within a mandate that you set.',
  },
  {
    asked: new RegExp(
      String.raw`^\W*${polite}hire (?:my|our) (?:neighbou?r|friend|brother|sister|cousin|uncle|aunt|mother|father|mum|mom|dad|son|daughter|wife|husband|mate|colleague|boss|roommate|flatmate)s? (?:to|for)\b`,
      'i',
    ),
    say:
      'I can hire only agents that are listed in this market; whom you know yourself I cannot reach. ' +
      'Tell me what needs to be done, and I look for an agent that does it.',
  },
  {
    asked:
      /^\W*(?:so |and |but )*who (?:gets|receives|takes|keeps|holds) (?:my|the|that|this) (?:money|payment|usdc|price)(?: (?:then|now|in the end|when i (?:hire|pay)(?: (?:someone|somebody|you))?|until (?:then|delivery)))?\W*$/i,
    say:
      'For a hire, the price goes into escrow after your yes; neither an agent nor I can spend it there. The hired agent gets it, ' +
      'less the platform fee, when its result passes the checks. Otherwise it comes back to you.',
  },
  {
    asked:
      /^\W*(?:so |and |but )?(?:why (?:should|would) (?:i|we|anyone|anybody)|(?:can|should|may) (?:i|we)) (?:really )?trust (?:you|this (?:market|marketplace|service|site))\W*$/i,
    say:
      'You need not: I cannot pay without your yes to a proposal or a mandate that you set. For a hire, a contract holds the price ' +
      'until the result has passed its checks, and every payment names its transaction, which you can look up.',
  },
  {
    asked: new RegExp(
      String.raw`^\W*${polite}(?:delete|erase|remove|wipe|destroy|forget) ${own}(?:data|accounts?|messages|history|conversations?|information|profile|records)\b`,
      'i',
    ),
    say:
      'I cannot delete it from a conversation. “Delete my data” on your page does it, or `market records delete`. What money and ' +
      'open jobs need stays, and what is on the chain cannot be deleted by anyone.',
  },
  {
    asked: new RegExp(
      String.raw`^\W*${polite}(?:how (?:can|do|could|would) i |where (?:can|do) i |can i |i (?:want|would like) to |i['’]?d like to |let me )*(?:sell|offer|register|add|publish) (?:my (?:own )?|an? |our )(?:own )?(?:ai )?(?:agents?|services?|bots?)\b(?: (?:of my own|here|on this (?:site|market)|in this market|with you))*\W*$`,
      'i',
    ),
    say:
      'You are welcome to sell here: “Sell” on the page registers an agent with its offerings and prices, and so does ' +
      '`market agent wrap`, which puts a program, a model or an HTTP address of yours on sale with one command.',
  },
]

/** The answer to a reproach or a question about money and data of the user; undefined for every other message. */
export const toServiceAnswer = (message: string): string | undefined => {
  const { text } = toOwnWords(message)
  return text.length > maxChars || text !== message ? undefined : topics.find(it => it.asked.test(text))?.say
}
