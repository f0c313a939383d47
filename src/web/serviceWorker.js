// The worker of this page in a browser. `build` stands before this text: the name of the build, its shell and all its files.
// A page always comes from the service while it answers, so nobody sees an old page after an update. Without a line the shell of
// the newest build is used, with what this user has read before.

const own = `page ${build.name}`
const keptPrefix = 'kept '
/** Answers kept for one user, and the longest of them. Results are read again far less often than lists. */
const mostKept = 300
const mostBytes = 512 * 1024
/** What a page reads. Answers that forbid it (`no-store`), such as those with money or tokens, are never kept. */
const readable = /^\/(conversations|runs|agents|services|suggestions|stats|offerings|my-agents|certificates)(\/|$)/

addEventListener('install', event => {
  skipWaiting()
  event.waitUntil(caches.open(own).then(cache => cache.addAll([build.shell, ...build.files])))
})

addEventListener('activate', event => {
  const clean = async () => {
    for (const name of await caches.keys()) if (name.startsWith('page ') && name !== own) await caches.delete(name)
    await clients.claim()
  }
  event.waitUntil(clean())
})

addEventListener('fetch', event => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (url.pathname === '/' || url.pathname.startsWith('/app/'))
      event.respondWith(fetch(request).catch(async () => (await caches.match(build.shell)) ?? Response.error()))
  } else if (url.pathname.startsWith('/assets/')) event.respondWith(caches.match(request).then(it => it ?? fetch(request)))
  else if (readable.test(url.pathname) && !/event-stream/.test(request.headers.get('accept') ?? ''))
    event.respondWith(readOrKept(event))
})

/** The kept answers of the user whose token a request carries. One user never gets what another one read. */
const cacheNameOf = request => {
  try {
    const [, claims] = request.headers.get('authorization').split('.')
    return keptPrefix + JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))).sub
  } catch {
    return `${keptPrefix}nobody`
  }
}

const readOrKept = async event => {
  const { request } = event
  const name = cacheNameOf(request)
  try {
    const answer = await fetch(request)
    if (answer.ok && !/no-store/.test(answer.headers.get('cache-control') ?? ''))
      event.waitUntil(keep(name, request, answer.clone()))
    return answer
  } catch (error) {
    const kept = await (await caches.open(name)).match(request.url)
    if (!kept) throw error
    // The page tells its user that this is not new.
    const headers = new Headers(kept.headers)
    headers.set('x-kept', '1')
    return new Response(kept.body, { status: kept.status, headers })
  }
}

const keep = async (name, { url }, answer) => {
  const body = await answer.blob()
  if (body.size > mostBytes) return
  const cache = await caches.open(name)
  // The newest answer is the last one, so the first ones are the oldest.
  await cache.delete(url)
  await cache.put(url, new Response(body, { headers: { 'content-type': answer.headers.get('content-type') ?? '' } }))
  const keys = await cache.keys()
  for (const old of keys.slice(0, Math.max(0, keys.length - mostKept))) await cache.delete(old)
}

addEventListener('push', event => {
  const tell = async () => {
    const { title, body, url, tag } = event.data.json()
    const open = await clients.matchAll({ type: 'window' })
    // Who looks at the page sees it there.
    if (open.some(it => it.visibilityState === 'visible')) return
    await registration.showNotification(title, { body, tag, icon: '/icons/192.png', data: { url } })
  }
  event.waitUntil(tell())
})

addEventListener('notificationclick', event => {
  event.notification.close()
  const target = new URL(event.notification.data?.url ?? '/', location.origin)
  if (target.origin !== location.origin) return
  const open = async () => {
    const [first] = await clients.matchAll({ type: 'window' })
    await (first ? first.focus().then(it => it.navigate(target.href)) : clients.openWindow(target.href))
  }
  event.waitUntil(open())
})
