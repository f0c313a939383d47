/** The answer that ends a run with too many messages. */
export const tooLong =
  'We have gone back and forth for long without coming to terms, so I leave it here. Tell me the task again, with all that matters, in a new message.'
