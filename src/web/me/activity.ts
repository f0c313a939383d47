import { useState } from 'hono/jsx/dom'
import type { ActivityPage, ActivityRecord as Movement } from '../../records/market/activity.ts'
import { useEffect } from '../client/effects.ts'
import { toWords, useMoved, useReach } from '../client/reach.ts'
import { weekMs } from './movements.ts'

const pageRows = 100
/** Pages that are read at first so that a week is whole. */
const maxFirstPages = 4
/** Pages that a file contains at most. */
const maxFilePages = 200

type Rows = { rows: Movement[]; next: string | null }

/** Reads the newest movements, at least those of a week, and earlier ones on request. They are read again when money moved. */
export const useActivity = () => {
  const { api } = useReach()
  const moved = useMoved()
  const [state, setState] = useState<Partial<Rows> & { error?: string }>({})
  const read = async (before: string | null): Promise<Rows> => {
    const { activity, next } = await api.get<ActivityPage>(`/v1/activity?limit=${pageRows}${before ? `&before=${before}` : ''}`)
    return { rows: activity, next }
  }
  const readUntil = async (isEnough: (of: Rows, pages: number) => boolean): Promise<Rows> => {
    let all = await read(null)
    for (let pages = 1; all.next !== null && !isEnough(all, pages); pages += 1) {
      const { rows, next } = await read(all.next)
      all = { rows: [...all.rows, ...rows], next }
    }
    return all
  }
  useEffect(() => {
    let isHere = true
    const isWeek = ({ rows }: Rows, pages: number) =>
      pages >= maxFirstPages || Date.parse(rows.at(-1)?.at ?? '') < Date.now() - weekMs
    readUntil(isWeek).then(
      it => isHere && setState(it),
      error => isHere && setState(before => ({ ...before, error: toWords(error) })),
    )
    return () => {
      isHere = false
    }
  }, [moved])
  const more = async () => {
    const { rows, next } = await read(state.next ?? null)
    setState({ rows: [...(state.rows ?? []), ...rows], next })
  }
  return { ...state, more, readAll: async () => (await readUntil((_, pages) => pages >= maxFilePages)).rows }
}
