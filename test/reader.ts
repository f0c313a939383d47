/** One trained reader of messages for all test files: it is made once, and again when its examples change. */
export const readerDir = new URL('../node_modules/.cache/reader', import.meta.url).pathname
