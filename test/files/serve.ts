import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/service.ts'

// A service in a process of its own, which a test kills. It tells its parent its address.
const config = readConfig({ PORT: '0', DATA_DIR: process.env.DATA_DIR, LOG_LEVEL: 'error' })
const { url } = await startService({ config: { ...config, readerDir: process.env.READER_DIR ?? config.readerDir } })
process.send?.(url)
