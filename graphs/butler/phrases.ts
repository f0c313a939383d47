/** The answer that ends a run with too many messages. */
export const tooLong =
  'We have not agreed on terms after many messages, so I stop here. ' +
  'Tell me the task again, with all its details, in a new message.'
