import type { NextTask } from '../../domain/runs/nextTask.ts'
import { Quoted } from '../parts/strangers.tsx'

const words: Record<string, string> = { waiting: 'Next', proposed: 'Continued with', dropped: 'Left out' }

/** The further tasks in a message, each with its state. */
export const NextTasks = ({ tasks }: { tasks: NextTask[] }) => (
  <ul class="next-tasks q s" aria-label="Next tasks">
    {tasks.map((it, index) => (
      <li key={`${index} ${it.text}`}>
        {words[it.state] ?? it.state}: “<Quoted text={it.text} chars={160} />”
      </li>
    ))}
  </ul>
)
