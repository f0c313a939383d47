// The native library reads this once, when it is loaded, and would print its warnings past our log: import this before it.
process.env.LANCEDB_LOG ??= 'error'
