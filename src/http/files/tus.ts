import type { Hono } from 'hono'

const version = '1.0.0'
const paths = ['/v1/uploads', '/v1/uploads/:upload_id']

/**
 * What the tus protocol demands of every answer about uploads, so that any of its clients can upload here.
 * @see https://tus.io/protocols/resumable-upload (version 1.0.0)
 * @param mostBytes the bytes that a file may have
 */
export const speakTus = (app: Pick<Hono, 'on' | 'use'>, mostBytes: number): void => {
  for (const path of paths)
    app.use(path, async (c, next) => {
      c.header('tus-resumable', version)
      if ((c.req.header('tus-resumable') ?? version) !== version) return c.body(null, 412, { 'tus-version': version })
      await next()
    })
  app.on('OPTIONS', paths, c =>
    c.body(null, 204, {
      'tus-version': version,
      'tus-extension': 'creation,termination,expiration',
      'tus-max-size': String(mostBytes),
    }),
  )
}
