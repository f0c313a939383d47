/** One trained message classifier for all test files, built once and again when its training examples change. */
export const readerDir = new URL('../node_modules/.cache/reader', import.meta.url).pathname
