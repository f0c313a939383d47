import type { PropsWithChildren } from 'hono/jsx'

type TickProps = PropsWithChildren<{ isOn: boolean; set(isOn: boolean): void }>

export const Tick = ({ isOn, set, children }: TickProps) => (
  <label class="row s">
    <input
      type="checkbox"
      checked={isOn}
      onChange={({ target }: Event) => set(target instanceof HTMLInputElement && target.checked)}
    />
    {children}
  </label>
)
