export type Mail = {
  /** @throws Problem busy when the mail server does not take it */
  send(mail: { to: string; subject: string; text: string }): Promise<void>
}
