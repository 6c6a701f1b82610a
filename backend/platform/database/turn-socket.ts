import { Socket } from 'node:net';

/** What is sent to the database in one turn of the event loop leaves in one system call, and arrives in one. */
export class TurnSocket extends Socket {
  private leaving = false;

  override cork(): void {
    if (this.leaving) return;
    this.leaving = true;
    super.cork();
    setImmediate(() => {
      this.leaving = false;
      super.uncork();
    });
  }

  /** Not before the turn is over, whatever each sender thinks. */
  override uncork(): void {}

  /** Node ends a socket whose other side has ended; it never closes where it has kept something back. */
  override end(...last: unknown[]): this {
    super.uncork();
    return super.end(...(last as []));
  }
}
