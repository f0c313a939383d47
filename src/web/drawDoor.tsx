import { atName } from './client/passkeyPlace.ts'
import type { Reach } from './client/reach.ts'
import { ReachProvider } from './client/reach.ts'
import { Door } from './door/Door.tsx'
import { Frame } from './Frame.tsx'

type Settings = { local: boolean; mail: boolean; publicUrl: string }

const none = () => undefined
const subscribe = () => none

/** What the door needs of the page while there is no browser: nobody is signed in, and nothing is read. */
const createStill = ({ local, mail, publicUrl }: Settings): Partial<Record<keyof Reach, unknown>> => ({
  local,
  mail,
  passkeys: { isKnown: true, elsewhere: atName(`${publicUrl}/`) },
  session: { token: none, subscribe },
  router: { path: () => '/', subscribe },
  line: { state: () => 'open', subscribe },
  balanceChanges: { moves: () => 0, subscribe },
})

/** Draws the door as text. The service puts it into the page, where a visitor sees it before any script has run. */
export const drawDoor = (settings: Settings): string =>
  String(
    <ReachProvider value={createStill(settings) as Reach}>
      <Frame place="" token={undefined} list={undefined} isWide>
        <Door />
      </Frame>
    </ReachProvider>,
  )
