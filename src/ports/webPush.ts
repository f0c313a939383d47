export type Mail = {
  /** @throws Problem busy when the mail server does not take it */
  send(mail: { to: string; subject: string; text: string }): Promise<void>
}

/** Where a browser takes pushes, as its push service named it: the URL, and the browser's keys in base64url (RFC 8291). */
export type PushAddress = { endpoint: string; p256dh: string; auth: string }

/** `gone`: the push service says that the browser left, so the address is of no more use. `later`: it may take it later. */
export type PushEnd = 'taken' | 'gone' | 'later'

/** Pushes to browsers (Web Push, RFC 8030), encrypted for the browser (RFC 8291) and signed by this service (RFC 8292). */
export type WebPush = {
  /** The key with which this service signs, in base64url. It is made at the first call, and kept sealed. */
  publicKey(): Promise<string>
  /**
   * Sends a text of at most 3 KB. `topic` replaces an earlier one that the browser has not got yet.
   * @throws Problem endpoint-not-allowed when any address of the host is not public
   */
  send(to: PushAddress, text: string, topic: string): Promise<PushEnd>
}
