import type { Letter } from './letter.js';

/** The mail server will never take this mail: the address does not exist, or it is not let in. */
export class MailRefused extends Error {}

/** The way out for mails: a mail server, or a folder where there is none. */
export abstract class Post {
  /**
   * Hands a mail over. The same id may be handed over again when it is unknown what became of it.
   * @throws MailRefused where trying again is pointless, any other error where it is not
   */
  abstract send(id: string, letter: Letter): Promise<void>;

  /** Removes what is kept here of a mail. */
  abstract forget(id: string): Promise<void>;
}
