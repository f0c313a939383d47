import type { ServicesRecord as Services } from '../../records/service.ts'
import { useLoaded } from '../client/reach.ts'
import { Title } from '../parts/basics.tsx'
import { Mark } from '../parts/Face.tsx'
import { Quoted } from '../parts/strangers.tsx'
import type { Say } from './Turns.tsx'

const maxSuggestions = 5
/** Maximum length of an example that is suggested, in characters. */
const exampleChars = 70

/** Returns one example request of each agent that is online. */
const suggestionsOf = (services: Services | undefined): string[] => {
  const firsts = new Map<string, string>()
  for (const { agent_id, examples } of services?.data ?? []) {
    const example = examples.find(it => it.length <= exampleChars)
    if (example && !firsts.has(agent_id)) firsts.set(agent_id, example)
  }
  return [...firsts.values()].slice(0, maxSuggestions)
}

/** The start of a conversation: example requests that can be sent with one click. */
export const Greeting = ({ say }: { say: Say }) => {
  const { value } = useLoaded<Services>('/services?online=true&sort=jobs&pageSize=24')
  return (
    <div class="butler greeting">
      <Mark />
      <div>
        <Title>What do you need done?</Title>
        <p class="q">Say it in plain words. You see the agent, the price and the terms, and nothing happens before your yes.</p>
        <div class="chips">
          {suggestionsOf(value).map(it => (
            <button type="button" class="chip" key={it} onClick={() => void say(it)}>
              <Quoted text={it} chars={exampleChars} />
            </button>
          ))}
          <button type="button" class="chip ask" onClick={() => void say('What can you do?')}>
            What can I ask?
          </button>
        </div>
      </div>
    </div>
  )
}
