import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { atEnd } from '../../support/cleanup.js';
import type { TestDatabase } from '../../support/database.js';
import { privatePort } from '../../support/ports.js';

/** A statement that a process sends to Postgres. Several may be sent, and answered, together. */
export interface Statement {
  sql: string;
  /** Index in the transaction; `begin`, if there is one, has 0. */
  index: number;
  /** Number of the transaction's round trip in which it is sent. */
  trip: number;
}

/** A connection that is stopped at a statement, until it is released or closed. */
export interface Held {
  statement: Statement;
  release(): void;
}

type Moment = 'before' | 'behind' | 'after';

interface Due {
  order: Order;
  statement: Statement;
}

interface Order {
  moment: Moment;
  matches: (statement: Statement) => boolean;
  held: (held: Held) => void;
}

/** A proxy between a process and Postgres that can stop the connection between any two statements. */
export interface Wire {
  /** The database, with addresses that lead over this wire. */
  database: TestDatabase;
  /**
   * Stops the first connection that sends a matching statement. `before`: Postgres gets neither the statement nor those sent
   * with it; `behind`: Postgres gets the statement, but not those sent after it in the same round trip; `after`: Postgres has
   * executed all of them, but the process does not get the answers.
   */
  hold(moment: Moment, matches: (statement: Statement) => boolean): Promise<Held>;
  /** The statements of the next transaction with a matching one. */
  transaction(matches: (statement: Statement) => boolean): Promise<string[]>;
  /** The same, grouped by round trip: the statements up to one Sync message. */
  roundTrips(matches: (statement: Statement) => boolean): Promise<string[][]>;
}

/** Opens a wire to this database; it is closed at the end of the test file. */
export async function openWire(database: TestDatabase): Promise<Wire> {
  const { hostname, port: target } = new URL(database.environment.DATABASE_URL);
  const orders = new Set<Order>();
  const ended = new Set<(statements: Statement[]) => void>();
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: Number(target), host: hostname, noDelay: true });
    const connection = new Connection(client, upstream, orders, (statements) =>
      ended.forEach((listen) => listen(statements)),
    );
    client.on(
      'data',
      messages((type, message) => connection.fromClient(type, message), false),
    );
    upstream.on(
      'data',
      messages((type, message) => connection.fromServer(type, message), true),
    );
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  const port = await privatePort();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  atEnd(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const environment = Object.fromEntries(
    Object.entries(database.environment).map(([name, address]) => [
      name,
      Object.assign(new URL(address), { host: `127.0.0.1:${port}` }).href,
    ]),
  ) as TestDatabase['environment'];
  const transaction = (matches: (statement: Statement) => boolean) =>
    new Promise<Statement[]>((resolve) => {
      const listen = (statements: Statement[]) => {
        if (!statements.some(matches)) return;
        ended.delete(listen);
        resolve(statements);
      };
      ended.add(listen);
    });
  return {
    database: { ...database, environment },
    hold: (moment, matches) =>
      new Promise((held) => {
        orders.add({ moment, matches, held });
      }),
    transaction: async (matches) => (await transaction(matches)).map(({ sql }) => sql),
    roundTrips: async (matches) => {
      const trips: string[][] = [];
      for (const { sql, trip } of await transaction(matches)) (trips[trip] ??= []).push(sql);
      return trips;
    },
  };
}

/** Messages of Postgres' protocol that pass between one client and the server, in order. */
class Connection {
  /** SQL texts of prepared statements, by name. */
  private readonly texts = new Map<string, string>();
  private transaction: Statement[] = [];
  /** Whether a transaction was begun; otherwise each group of messages is a transaction. */
  private isOpen = false;
  /** Whether a statement of the current group has been sent. */
  private isInGroup = false;
  private sql = '';
  private unsent: Buffer[] = [];
  /** An order for a statement of the current group, which ends at the next Sync message. */
  private due: Due | undefined;
  /** Orders for groups that the server has yet to answer; the start of the connection is answered like a group. */
  private readonly asked: (Due | undefined)[] = [undefined];
  private keptFromServer: Buffer[] | undefined;
  private keptFromClient: Buffer[] | undefined;

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    private readonly orders: Set<Order>,
    private readonly ended: (statements: Statement[]) => void,
  ) {}

  fromClient(type: string, message: Buffer): void {
    if (type === 'P') {
      const [name, text] = texts(message);
      this.texts.set(name!, text!);
      this.sql = text!;
    } else if (type === 'B') {
      this.sql = this.texts.get(texts(message)[1]!) ?? '';
    } else if (type === 'Q') {
      this.sql = texts(message)[0]!;
    }
    this.unsent.push(message);
    if (type === 'E' || type === 'Q') this.step();
    // Only Sync and simple queries are answered; start, passwords and Terminate are passed on at once. A group is passed on as
    // a whole, because within a group, Postgres does not count the time that its client is silent as idle.
    if (type === 'S' || type === 'Q') this.ask();
    else if (!'PBDCE'.includes(type)) this.send();
  }

  fromServer(type: string, message: Buffer): void {
    const [due] = this.asked;
    if (due) this.keptFromClient ??= [];
    this.toClient(message);
    if (type !== 'Z') return;
    this.asked.shift();
    if (due) this.obey(due.order, due.statement);
  }

  private step(): void {
    if (/^begin/i.test(this.sql)) {
      this.transaction = [];
      this.isOpen = true;
    }
    const last = this.transaction.at(-1);
    const trip = last === undefined ? 0 : last.trip + (this.isInGroup ? 0 : 1);
    this.isInGroup = true;
    const statement = { sql: this.sql, index: this.transaction.length, trip };
    this.transaction.push(statement);
    if (/^(commit|rollback)$/i.test(this.sql)) this.isOpen = false;
    const order = this.keptFromServer ? undefined : [...this.orders].find((each) => each.matches(statement));
    if (!order) return;
    this.orders.delete(order);
    if (order.moment === 'after') {
      this.due = { order, statement };
    } else {
      if (order.moment === 'behind') this.send();
      this.keptFromServer = [];
      this.obey(order, statement);
    }
  }

  private ask(): void {
    this.asked.push(this.due);
    this.due = undefined;
    this.isInGroup = false;
    this.send();
    if (this.isOpen) return;
    this.ended(this.transaction);
    this.transaction = [];
  }

  private obey({ held }: Order, statement: Statement): void {
    held({
      statement,
      release: () => {
        for (const message of this.keptFromServer ?? []) this.server.write(message);
        for (const message of this.keptFromClient ?? []) this.client.write(message);
        this.keptFromServer = this.keptFromClient = undefined;
      },
    });
  }

  private send(): void {
    const message = Buffer.concat(this.unsent.splice(0));
    if (this.keptFromServer) this.keptFromServer.push(message);
    else this.server.write(message);
  }

  private toClient(message: Buffer): void {
    if (this.keptFromClient) this.keptFromClient.push(message);
    else this.client.write(message);
  }
}

/** Splits bytes into messages: a letter (missing in a client's first message), four bytes of length, and the content. */
function messages(heard: (type: string, message: Buffer) => void, greeted: boolean) {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const head = greeted ? 1 : 0;
      if (rest.length < head + 4) return;
      const length = head + rest.readUInt32BE(head);
      if (rest.length < length) return;
      heard(greeted ? String.fromCharCode(rest[0]!) : 'greeting', rest.subarray(0, length));
      rest = rest.subarray(length);
      greeted = true;
    }
  };
}

/** The first two texts of a message, each terminated by NUL. */
function texts(message: Buffer): string[] {
  return message.toString('utf8', 5).split('\0', 2);
}
