import { type Command, Option } from 'commander'
import { jsonObject } from '../../domain/json.ts'
import { marksRecord, reportReason } from '../../records/mark.ts'
import { savedSearches, savedSearchRecord } from '../../records/notice.ts'
import { deletedRecords, type OwnRecords, ownRecords } from '../../records/ownRecords.ts'
import { shareRecord, sharesRecord } from '../../records/share.ts'
import { ends, type Host, runs } from './command.ts'

/** Adds the commands for what a person keeps: marks, reports, links, waiting searches, and the own copy. */
export const addOwnCommands = (program: Command, host: Host): void => {
  addMarkCommands(program, host)
  addLinkCommands(program, host)
  addSearchCommands(program, host)
  addCopyCommands(program, host)
}

const addMarkCommands = (program: Command, host: Host): void => {
  const marking = program
    .command('mark')
    .argument('<agent>', 'its handle or id')
    .addArgument(program.createArgument('<mark>', 'how').choices(['favourite', 'blocked', 'none']))
    .description('like an agent, or block it: it is then not found, proposed or hired for you')
  runs(marking, host, {
    example: 'market mark pirate-talk blocked',
    run: async ({ client, say }, _options, ...[agent, mark]: [agent: string, mark: string]) => {
      const path = `/v1/marks/${encodeURIComponent(agent)}`
      const answer = mark === 'none' ? await client.delete(path) : await client.put(path, { mark })
      say(mark === 'none' ? `${agent} has no mark.` : `${agent} is ${mark === 'blocked' ? 'blocked' : 'a favourite'}.`)
      return { result: jsonObject.parse(answer) }
    },
  })
  runs(program.command('marks').description('list the agents that you marked'), host, {
    example: 'market marks',
    run: async ({ client, say }) => {
      const { marks } = marksRecord.parse(await client.get('/v1/marks'))
      for (const it of marks) say(`${it.mark.padEnd(9)}  ${it.agent_handle}  ${it.since.slice(0, 10)}`)
      return { result: { marks } }
    },
  })
  const reporting = program
    .command('report')
    .argument('<agent>', 'its handle or id')
    .argument('[words]', 'what happened')
    .addOption(new Option('--reason <reason>', 'why').choices(reportReason.options).default('other'))
    .description('report an agent to the operator')
  runs(reporting, host, {
    example: 'market report pirate-talk "It sends what another agent wrote" --reason copied',
    run: async ({ client, say }, { reason }, ...[agent, words = '']: [agent: string, words?: string]) => {
      await client.post('/v1/reports', { agent_id: agent, reason, words })
      say('The operator sees your report. The agent does not learn of you.')
      return { result: { reported: true } }
    },
  })
}

const addLinkCommands = (program: Command, host: Host): void => {
  const group = program.command('link').description('results that others may read')
  runs(group.command('make').argument('<run>', 'id of a paid run').description('show its result by a link'), host, {
    example: 'market link make run_1a2b',
    run: async ({ client, say }, _options, run: string) => {
      const share = shareRecord.parse(await client.post('/v1/shares', { run_id: run }))
      say(`${share.url}\nEverybody with it sees the result, its agent, price and day. End it: market link end ${share.share_id}`)
      return { result: share }
    },
  })
  runs(group.command('list').description('list your links'), host, {
    example: 'market link list',
    run: async ({ client, say }) => {
      const { shares } = sharesRecord.parse(await client.get('/v1/shares'))
      for (const it of shares) say(`${it.since.slice(0, 10)}  ${it.offering_name}  ${it.url}`)
      return { result: { shares } }
    },
  })
  ends(group.command('end').argument('<link>', 'its id').description('withdraw a link'), host, {
    example: 'market link end AbC',
    path: '/v1/shares',
    said: 'Nobody can read the result by this link any more.',
  })
}

const addSearchCommands = (program: Command, host: Host): void => {
  const group = program.command('wait').description('searches that wait for an offering')
  runs(group.command('for').argument('<words>', 'what you need done').description('wait for an offering that does it'), host, {
    example: 'market wait for "Tune a harpsichord"',
    run: async ({ client, say }, _options, text: string) => {
      const kept = savedSearchRecord.parse(await client.post('/v1/searches', { text }))
      say(`It waits as ${kept.search_id}.`)
      return { result: kept }
    },
  })
  runs(group.command('list').description('list them, with those that found one'), host, {
    example: 'market wait list',
    run: async ({ client, say }) => {
      const { searches } = savedSearches.parse(await client.get('/v1/searches'))
      for (const it of searches) say(`${it.search_id}  ${it.found_at ? 'found' : 'waits'}  ${it.text}`)
      return { result: { searches } }
    },
  })
  ends(group.command('end').argument('<search>', 'its id').description('wait no longer'), host, {
    example: 'market wait end search_1a2b',
    path: '/v1/searches',
    said: 'It waits no longer.',
  })
}

const addCopyCommands = (program: Command, host: Host): void => {
  const group = program.command('records').description('what the service keeps about you')
  runs(group.command('copy').description('print all of it as JSON'), host, {
    example: 'market records copy > mine.json',
    run: async ({ client, say }) => {
      const all: OwnRecords['runs'] = []
      let kept: OwnRecords['kept'] = {}
      for (let offset: number | null = 0; offset !== null; ) {
        const page: OwnRecords = ownRecords.parse(await client.get(`/v1/own-records?offset=${offset}`))
        all.push(...page.runs)
        kept = { ...page.kept, ...kept }
        offset = page.next
      }
      say(JSON.stringify({ runs: all, ...kept }, undefined, 2))
      return { result: { runs: all.length } }
    },
  })
  const deleting = group
    .command('delete')
    .option('--yes', 'do not ask', false)
    .description('delete it, except what money and open jobs need')
  runs(deleting, host, {
    example: 'market records delete',
    run: async ({ client, say, confirm }, { yes }) => {
      if (
        yes !== true &&
        (await confirm('Delete your conversations, results, marks and links? There is no way back.')) !== true
      ) {
        say('Nothing was deleted.')
        return { result: { deleted: false } }
      }
      const gone = deletedRecords.parse(await client.post('/v1/own-records/delete', { confirm: 'delete my data' }))
      say(`${gone.deleted_runs + gone.emptied_runs} runs were deleted. ${gone.open_runs} are not over and stay for now.`)
      for (const it of gone.stays) say(`Stays: ${it}`)
      return { result: gone }
    },
  })
}
