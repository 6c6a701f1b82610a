import type { Letter } from './letter.js';

/** The mail server refused this mail for good: the address does not exist or the mail is not accepted. */
export class MailRefused extends Error {}

/** Transport of mails: a mail server, or a folder where none is configured. */
export abstract class Post {
  /**
   * Sends a mail. It may be called again with the same id if the outcome is unknown.
   * @throws MailRefused if a retry is pointless, any other error if it is not
   */
  abstract send(id: string, letter: Letter): Promise<void>;

  /** Deletes stored copies of a mail. */
  abstract forget(id: string): Promise<void>;
}
