// One file for all suites: what every database promises, on each of them.
import './agents.suite.ts'
import './checkpointer.suite.ts'
import './effects.suite.ts'
import './gateway.suite.ts'
import './jobs.suite.ts'
import './money.suite.ts'
import './runs.suite.ts'
import './schema.suite.ts'
