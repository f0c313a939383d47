import type { PropsWithChildren } from 'hono/jsx'
import { Notice, Title } from './basics.tsx'
import { Drawing } from './Drawing.tsx'

/** A view that has nothing to show: what it is, why, and a way on. */
export const Empty = ({ title, words, children }: PropsWithChildren<{ title: string; words: string }>) => (
  <>
    <Title>{title}</Title>
    <Notice kind="empty">
      <Drawing />
      <p>{words}</p>
      {children}
    </Notice>
  </>
)
