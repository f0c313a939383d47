import { chainNames } from '../../../src/domain/chains.ts'
import { readConsent } from '../../../src/domain/consent.ts'
import { toMinutes } from '../../../src/domain/wishes.ts'
import type { ButlerDeps } from '../deps.ts'
import { metered } from '../metered.ts'
import type { ButlerState, Update } from '../state.ts'

const nothingOpen = 'Nothing waits for a yes or no. Tell me in plain words what you need done.'

/** What followed from other words counts no more. */
const unread = {
  found: [],
  missed: [],
  pick: undefined,
  input: {},
  questions: [],
  open: {},
  proposal: undefined,
  decision: undefined,
} satisfies Update

/** Reads what the user wants out of everything they said in this run. */
export const understand =
  (deps: ButlerDeps) =>
  async ({ runId, said, target, chainId, before }: ButlerState): Promise<Update> => {
    const { model, tell, now, servesChain } = deps
    // Whoever calls an agent wants it to work, whatever the words are.
    if (target) return { ...unread, intent: 'task', task: said.join('\n'), agent: target }
    if (said.length === 1 && isBareAnswer(said[0] ?? '')) return { intent: 'help', answer: nothingOpen }
    const {
      deadline,
      chainId: chain = chainId,
      ...read
    } = await metered(deps, { runId, key: `understand:${said.length}` }, spend => model.understand(said, spend))
    const { intent, task, maxPrice, agent, category } = read
    const withinMinutes = deadline ? toMinutes(deadline, now()) : undefined
    await tell(runId, {
      kind: 'understood',
      summary: intent === 'task' ? `Understood: ${task}` : 'Understood.',
      data: {
        ...{ intent, task, model: model.id },
        ...(maxPrice && { max_price: maxPrice }),
        ...(agent && { agent }),
        ...(withinMinutes !== undefined && { within_minutes: withinMinutes }),
        ...(chain !== chainId && { chain_id: chain }),
        ...(category && { category }),
      },
      key: `understood:${said.length}`,
    })
    if (intent === 'task' && !servesChain(chain)) return { ...unread, intent: 'help', answer: notServed(chain) }
    // A word of thanks or doubt at a proposal changes nothing of what is wanted.
    if (intent !== 'task' && before) return { ...unread, intent: 'task' }
    return { ...unread, intent, task, maxPrice, agent, withinMinutes, category, chainId: chain }
  }

const bareWords = 4
const isBareAnswer = (words: string) =>
  readConsent(words) !== 'change' ||
  (/^(?:yes|yep|no|nope|ok|okay|sure)\b/i.test(words) && words.split(/\s+/).length <= bareWords)

const names: Record<number, string> = chainNames
const notServed = (chainId: number) =>
  `I do not work on ${names[chainId] ?? `chain ${chainId}`}, so there is nobody to hire there. Nothing was hired and nothing was paid.`
