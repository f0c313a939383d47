import { Command, InvalidArgumentError } from 'commander'

/**
 * A command of `npm run`: it answers `--help` and a wrong option with its usage.
 * @param name as in package.json
 */
export const command = (name: string, description: string): Command =>
  new Command(`npm run ${name} --`).description(description).showHelpAfterError().helpOption('--help', 'print this')

/** Reads an amount from 0. @throws InvalidArgumentError */
export const amount = (text: string): number => {
  if (!/^\d{1,12}(\.\d+)?$/.test(text)) throw new InvalidArgumentError('It must be a number from 0.')
  return Number(text)
}

/** Reads a whole number from 0. @throws InvalidArgumentError */
export const whole = (text: string): number => {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0.')
  return Number(text)
}

/** Prints a line. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`)
