// The native library reads this variable once, when it is loaded, and would print warnings beside our log. Imports run before the
// body of the module that has them, so this is a module of its own, which table.ts imports first.
process.env.LANCEDB_LOG ??= 'error'
