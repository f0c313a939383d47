/** Unsent texts by user and field. They are lost when the page is closed. */
export type Drafts = Map<string, string>
