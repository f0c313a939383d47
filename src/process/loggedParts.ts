import type { Butler, Chain, Log } from '../ports.ts'
import { withLogged } from './logContext.ts'

/** Logs each step of a run with its ids, states and duration. What was said is not logged. */
export const logSteps = (butler: Butler, log: Log): Butler => ({
  ...butler,
  advance: (run, lease) =>
    withLogged({ run: run.id, job: run.jobId }, async () => {
      const begunAt = performance.now()
      const after = await butler.advance(run, lease)
      const ms = Math.round(performance.now() - begunAt)
      log.info({ run: run.id, job: after.jobId ?? run.jobId, from: run.state, to: after.state, ms }, 'run step')
      return after
    }),
})

/** Logs each transaction that is signed, with its purpose, which names the job. */
export const logEffects = (chain: Chain, log: Log): Chain => {
  const logTransaction = (words: string, of: { sender: string; nonce: number; purpose: string; hash: string }) => {
    const [subject, id] = of.purpose.split(':')
    log.info({ chain: chain.chainId, ...(subject === 'job' && { job: id }), ...of }, words)
  }
  const { replace } = chain
  return {
    ...chain,
    async sign(of) {
      const { sender, nonce, purpose = '' } = of
      const signed = await chain.sign(of)
      logTransaction('chain effect signed', { sender, nonce, purpose, hash: signed.hash })
      return signed
    },
    ...(replace && {
      async replace(last, of) {
        const signed = await replace(last, of)
        if (signed)
          logTransaction('chain effect signed again with higher fees', {
            sender: of.sender,
            purpose: of.purpose,
            nonce: signed.nonce,
            hash: signed.hash,
          })
        return signed
      },
    }),
  }
}
