import type { Command } from 'commander'
import { addAccountCommands } from './account.ts'
import { addAgentCommands } from './agents.ts'
import type { Host } from './command.ts'
import { addDoctorCommand } from './doctor.ts'
import { addHiringCommands } from './hiring.ts'
import { addInitCommand } from './init.ts'
import { addMoneyCommands } from './money.ts'
import { addOwnCommands } from './own.ts'
import { addPayCommand } from './paying.ts'
import { addServeCommands } from './serve.ts'
import { addCertifyCommand, addTestCommand } from './testing.ts'
import { addTokenCommands } from './tokens.ts'
import { addWrapCommands } from './wrapping.ts'

/** Adds the commands that use a running service. `agent` is the group of commands for agent owners. */
export const addMarketCommands = (program: Command, agent: Command, host: Host): void => {
  addAccountCommands(program, host)
  addHiringCommands(program, host)
  addMoneyCommands(program, host)
  addTokenCommands(program, host)
  addPayCommand(program, host)
  addOwnCommands(program, host)
  addAgentCommands(agent, host)
  addWrapCommands(agent, host)
  addInitCommand(agent, host)
  addServeCommands(agent, host)
  addDoctorCommand(agent, host)
  addTestCommand(agent, host)
  addCertifyCommand(agent, host)
}
