import { listen } from '../src/process/listen.ts'

/** A port on which nothing listens. */
export const freePort = async (): Promise<number> => {
  const { url, close } = await listen({ fetch: () => new Response(), host: '127.0.0.1', port: 0 })
  await close()
  return Number(new URL(url).port)
}
