import { createHash } from 'node:crypto'

type Mutant = { id: string; fileName: string; mutatorName: string; replacement: string; location: unknown }

/** Stryker tests a mutant that passes all checkers. This one leaves out those that are not drawn, so they count nowhere. */
class Sample {
  #share = Number(process.env.MUTATION_SHARE ?? 1)

  async init() {}

  async check(mutants: readonly Mutant[]) {
    return Object.fromEntries(mutants.map(it => [it.id, { status: this.#isDrawn(it) ? 'passed' : 'compileError', reason: '' }]))
  }

  async group(mutants: readonly Mutant[]) {
    return [mutants.map(it => it.id)]
  }

  /** Each mutant is drawn by itself, so all checker processes agree and no list is needed. */
  #isDrawn({ fileName, mutatorName, replacement, location }: Mutant) {
    const place = fileName.slice(fileName.lastIndexOf('/src/'))
    const text = JSON.stringify([process.env.MUTATION_SEED, place, mutatorName, replacement, location])
    return createHash('sha1').update(text).digest().readUInt32BE() / 2 ** 32 < this.#share
  }
}

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: Sample }]
