// The operator's page. The token stays in this tab, and is sent with each request for the state.

const kept = 'operator-token'
const everyMs = 10_000
const at = id => document.getElementById(id)
const say = text => {
  if (at('said').textContent !== text) at('said').textContent = text
}

const lineOf = (...parts) => {
  const line = document.createElement('li')
  line.append(...parts.flatMap(part => (part ? [part, ' '] : [])))
  return line
}
const strong = text => Object.assign(document.createElement('strong'), { textContent: text })
const code = text => {
  const element = Object.assign(document.createElement('code'), { textContent: text })
  element.style.overflowWrap = 'anywhere'
  return element
}

const list = (id, lines, none) => at(id).replaceChildren(...(lines.length > 0 ? lines : [lineOf(none)]))

const age = seconds => (seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`)
const short = decimal => (decimal.includes('.') ? decimal.slice(0, decimal.indexOf('.') + 5) : decimal)

const show = ({ alerts, chains, wallets, backlog, leaders, reports }) => {
  list(
    'alerts',
    alerts.map(it => lineOf(strong(it.words), it.remedy)),
    'Nothing. All is well.',
  )
  list(
    'chains',
    chains.map(it => {
      const state = it.up ? `block ${it.block}, ${it.blocks_behind ?? 0} not read yet` : (it.refused ?? 'does not answer')
      return lineOf(strong(`Chain ${it.chain_id}`), state)
    }),
    'No chain is served.',
  )
  list(
    'wallets',
    wallets.map(it => {
      const lasts = it.days_left === undefined ? '' : `, enough for ${it.days_left} days`
      return lineOf(
        strong(`${it.role} on chain ${it.chain_id}:`),
        `${short(it.coin)} coins${lasts}, ${short(it.usdc)} USDC.`,
        it.is_filled ? '' : 'It is empty.',
        code(it.address),
      )
    }),
    'No wallet was made yet.',
  )
  list(
    'backlog',
    backlog.map(it => lineOf(strong(`${it.count}`), `${it.kind} ${it.state}, the oldest for ${age(it.oldest_seconds)}`)),
    'Nothing waits.',
  )
  list(
    'reports',
    reports.map(it => lineOf(strong(it.reason), it.words, code(it.agent_id))),
    'No agent was reported.',
  )
  list(
    'leaders',
    leaders.map(it => lineOf(strong(it.leads), code(it.process))),
    'No process leads now.',
  )
}

const toDoor = words => {
  sessionStorage.removeItem(kept)
  at('state').hidden = true
  at('door').hidden = false
  say(words)
  at('token').focus()
}

let next
const look = async () => {
  clearTimeout(next)
  const token = sessionStorage.getItem(kept)
  if (!token) return toDoor('')
  try {
    const answer = await fetch('/operator/state', { headers: { authorization: `Bearer ${token}` } })
    if (answer.status === 401) return toDoor('That is not the token of this service (OPERATOR_TOKEN).')
    if (!answer.ok) throw new Error(`The service answered ${answer.status}.`)
    show(await answer.json())
    at('door').hidden = true
    at('state').hidden = false
    say('')
  } catch {
    say('The service does not answer. This page asks again.')
  }
  next = setTimeout(look, everyMs)
}

at('door').addEventListener('submit', event => {
  event.preventDefault()
  sessionStorage.setItem(kept, at('token').value.trim())
  at('token').value = ''
  void look()
})
at('leave').addEventListener('click', () => toDoor('The token is forgotten.'))
void look()
