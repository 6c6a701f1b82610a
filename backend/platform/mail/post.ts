import type { Letter } from './letter.js';

/** The mail server refused this mail for good. `isAboutAddress`: the address does not exist or takes no mails. */
export class MailRefused extends Error {
  constructor(
    message: string,
    readonly isAboutAddress: boolean,
  ) {
    super(message);
  }
}

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
