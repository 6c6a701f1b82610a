import { connect } from 'node:net';

/**
 * One HTTP connection with one request at a time. It does as little work as possible, because the load generator shares its
 * cores with the server that it measures. Expects answers with a Content-Length, which all of the API's have.
 */
export class Connection {
  #socket;
  #resolve;
  #parts = '';
  #left = 0;
  #head;

  constructor({ hostname, port }) {
    this.#socket = connect(Number(port), hostname);
    this.#socket.setNoDelay(true).setEncoding('latin1');
    this.#socket.on('data', (text) => this.#read(text));
    this.#socket.on('error', () => this.#done({ status: 0 }));
    this.#socket.on('close', () => this.#done({ status: 0 }));
  }

  /** Resolves to `{ status, position, stale }`; status 0 if the connection broke. */
  ask(text) {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#socket.write(text);
    });
  }

  /** Whether the server has closed it, as it does with one that was idle for long. */
  get isClosed() {
    return this.#socket.destroyed;
  }

  #read(text) {
    if (this.#head === undefined) {
      this.#parts += text;
      const end = this.#parts.indexOf('\r\n\r\n');
      if (end < 0) return;
      this.#head = this.#parts.slice(0, end);
      const length = /\r\ncontent-length: (\d+)/i.exec(this.#head);
      this.#left = Number(length?.[1] ?? 0) - (this.#parts.length - end - 4);
    } else {
      this.#left -= text.length;
    }
    if (this.#left <= 0) {
      this.#done({
        status: Number(this.#head.slice(9, 12)),
        position: /\r\nrende-position: (\d+)/i.exec(this.#head)?.[1],
        stale: /\r\nrende-stale: true/i.test(this.#head),
      });
    }
  }

  #done(answer) {
    this.#parts = '';
    this.#head = undefined;
    this.#resolve?.(answer);
    this.#resolve = undefined;
  }
}
