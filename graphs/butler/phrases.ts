/** The end of a run that did not come to terms. */
export const tooLong =
  'We have gone back and forth for long without coming to terms, so I leave it here. Tell me the task again, with all that matters, in a new message.'
