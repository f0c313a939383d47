// The native library reads this variable once, when it is loaded, and would print warnings beside our log. Import this module
// first.
process.env.LANCEDB_LOG ??= 'error'
