import { toSearchedKind } from '../../../src/domain/files/fileTypes.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'
import { unread } from './heard.ts'

type Understand = (deps: ButlerDeps) => (state: ButlerState) => Promise<Update>

/**
 * Reads a message that names files. Its words are read without them; the kinds of the files are searched with the words. A
 * message without files keeps those of the request, and a new task has none.
 */
export const withFiles =
  (understand: Understand) =>
  (deps: ButlerDeps) =>
  async (state: ButlerState): Promise<Update> => {
    const readWords = understand(deps)
    const { runId, heard, turn } = state
    const links = heard ? (heard.files ?? []) : turn === 0 ? state.files : []
    if (links.length === 0) {
      const update = await readWords(state)
      return update.act === 'task' && state.files.length > 0 ? { ...update, files: [] } : update
    }
    const files = await deps.readFiles(runId, links)
    const each = [...new Set(files.map(it => toSearchedKind(it.mediaType)))]
    const kinds = each.join(' ')
    const words = heard?.text ?? state.said.at(-1) ?? ''
    if (words.trim() === '') return { ...onlyFiles(state, kinds), files, heard: undefined, decision: undefined, turn: turn + 1 }
    const update = await readWords({ ...state, files })
    // Several kinds would outweigh the words.
    const want = [update.want || update.task, each.length === 1 ? kinds : ''].filter(Boolean).join(' ')
    return { ...update, files, ...(update.act === 'task' && { want }) }
  }

/** Files without words answer an open question, or change what is proposed. Otherwise the offerings that take them are listed. */
const onlyFiles = ({ stage, pick, proposal }: ButlerState, kinds: string): Update => {
  if (pick && stage === 'ask') return { act: 'answer', to: 'fill' }
  if (pick && stage === 'proposal')
    return { act: 'change', to: 'fill', before: pick, voided: proposal?.digest ?? '', asked: true, notice: '' }
  const words = `What can be done with a ${kinds}?`
  return { ...unread, act: 'recommend', to: 'search', isList: true, said: [words], task: words, want: kinds, next: [] }
}
