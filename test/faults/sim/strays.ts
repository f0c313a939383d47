/** Rejections that nobody waited for: in the service they would end the process. */
const strays: string[] = []

/** Keeps them from ending the simulation; from here on they are counted. */
export const catchStrays = (): void => {
  process.on('unhandledRejection', (error: unknown) => strays.push(String(error)))
}

/** Those since the last look. */
export const takeStrays = (): string[] => strays.splice(0)
