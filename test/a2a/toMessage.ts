import { randomUUID } from 'node:crypto'
import { type Message, Role } from '@a2a-js/sdk'

/** A text as a message of version 1.0. */
export const toMessage = (text: string): Message => ({
  messageId: randomUUID(),
  role: Role.ROLE_USER,
  parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' }],
  contextId: '',
  taskId: '',
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
})
