import { Button } from '../parts/basics.tsx'

type SegmentsProps<T extends string> = {
  class?: string
  name: string
  all: readonly NoInfer<T>[]
  chosen: T
  choose(it: NoInfer<T>): void
  wordsOf(it: T): string
}

/** Buttons of which one is chosen. */
export const Segments = <T extends string>({ name, all, chosen, choose, wordsOf, ...rest }: SegmentsProps<T>) => (
  <fieldset class="seg" {...rest}>
    <legend class="vh">{name}</legend>
    {all.map(it => (
      <Button key={it} aria-pressed={it === chosen ? 'true' : 'false'} onClick={() => choose(it)} words={wordsOf(it)} />
    ))}
  </fieldset>
)
