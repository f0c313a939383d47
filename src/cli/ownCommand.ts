/** The package is built JavaScript; the repository runs its TypeScript and has npm scripts. */
const isPackaged = import.meta.filename.endsWith('.js')

const scripts = {
  start: 'npm start',
  chat: 'npm run chat',
  mcp: 'npm run --silent mcp',
  login: 'npx node src/main.ts login',
} as const

/**
 * The command that starts a part of the service, or signs in: an npm script in the repository, `npx market` where the package is
 * installed.
 */
export const ownCommand = (name: keyof typeof scripts): string => (isPackaged ? `npx market ${name}` : scripts[name])

/** The same with options, which npm scripts take after `--`. */
export const ownCommandWith = (name: keyof typeof scripts, options: string): string =>
  `${ownCommand(name)} ${isPackaged ? '' : '-- '}${options}`
