/** Texts that are not sent yet, by user and field; they live as long as the page. */
export type Drafts = Map<string, string>
