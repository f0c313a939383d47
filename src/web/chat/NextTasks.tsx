import type { NextTask } from '../../domain/runs/proposal.ts'
import { t, type Words } from '../client/words.ts'
import { quoted } from '../parts/strangers.tsx'

const words: Record<string, Words> = { waiting: 'Next', proposed: 'Continued with', dropped: 'Left out' }

const nameOf = (state: string): string => {
  const name = words[state]
  return name ? t(name) : state
}

export const NextTasks = ({ tasks }: { tasks: NextTask[] }) => (
  <ul class="next-tasks q s" aria-label={t('Next tasks')}>
    {tasks.map((it, index) => (
      <li key={`${index} ${it.text}`}>
        {nameOf(it.state)}: “{quoted(it.text, 160)}”
      </li>
    ))}
  </ul>
)
