import pg from 'pg';
import * as utils from 'pg/lib/utils.js';
import { prepared, statementName, types } from './pools.js';

/** One SQL statement; the same text is prepared once per connection. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** Methods and fields of a connection that pg's types lack. */
interface Wire extends pg.Connection {
  /** Texts by statement name: prepared by the server, and sent to be prepared. */
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: (string | Buffer | null)[] }): void;
  describe(message: { type: 'P' }): void;
  execute(): void;
}

export const BEGIN: Statement = { text: 'begin', values: [] };
export const COMMIT: Statement = { text: 'commit', values: [] };

/** A column of a result, and the parser of its text. */
interface Column {
  name: string;
  read: (text: string) => unknown;
}

/**
 * Columns of the statements that a connection has prepared, by name. Requested once, because a prepared statement
 * never changes its columns.
 */
const described = new WeakMap<pg.Connection, Map<string, readonly Column[]>>();

function describedOn(connection: pg.Connection): Map<string, readonly Column[]> {
  let known = described.get(connection);
  if (!known) described.set(connection, (known = new Map<string, readonly Column[]>()));
  return known;
}

/**
 * Statements that are sent with one Sync message after the last instead of one after each: to the server they are one
 * implicit transaction with one answer.
 */
class Batch extends pg.Query {
  /** pg reads these fields to record which statement was prepared or failed. */
  declare private name: string;
  declare private text: string;
  /** pg sets it, to stop the timer of `query_timeout` when the answer arrives. */
  declare private callback: ((error: Error | null) => void) | undefined;
  private readonly bound: (string | Buffer | null)[][];
  private readonly answers: pg.QueryResultRow[][] = [];
  private described!: Map<string, readonly Column[]>;
  private columns: readonly Column[] = [];
  private unreadable: Error | undefined;
  private at = 0;

  constructor(
    private readonly statements: readonly Statement[],
    private readonly resolve: (rows: pg.QueryResultRow[][]) => void,
    private readonly reject: (error: Error) => void,
  ) {
    super('');
    this.bound = statements.map(({ values }) => values.map((value) => utils.prepareValue!(value)));
  }

  override submit = (to: pg.Connection): void => {
    const connection = to as Wire;
    const { parsedStatements, submittedNamedStatements } = connection;
    this.described = describedOn(connection);
    connection.stream.cork();
    this.statements.forEach(({ text }, index) => {
      const name = statementName(text);
      if (parsedStatements[name] === undefined && submittedNamedStatements[name] === undefined) {
        connection.parse({ name, text });
        submittedNamedStatements[name] = text;
      }
      connection.bind({ statement: name, values: this.bound[index]! });
      if (!this.described.has(name)) connection.describe({ type: 'P' });
      connection.execute();
    });
    connection.sync();
    connection.stream.uncork();
    this.turnTo(0);
  };

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: types.getTypeParser(dataTypeID) as Column['read'],
    }));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const row: pg.QueryResultRow = {};
    try {
      this.columns.forEach(({ name, read }, index) => {
        const text = fields[index]!;
        row[name] = text === null ? null : read(text);
      });
    } catch (error) {
      this.unreadable = error as Error;
    }
    this.answers[this.at]!.push(row);
  }

  handleCommandComplete(): void {
    this.described.set(this.name, this.columns);
    this.turnTo(this.at + 1);
  }

  handleReadyForQuery(): void {
    this.callback?.(null);
    if (this.unreadable) this.reject(this.unreadable);
    else this.resolve(this.answers);
  }

  /** The server skipped the statements after the failed one, so they are not prepared. */
  handleError(error: Error, connection: pg.Connection): void {
    const { submittedNamedStatements } = connection as Wire;
    for (const { text } of this.statements.slice(this.at + 1))
      delete submittedNamedStatements[statementName(text)];
    this.callback?.(error);
    this.reject(error);
  }

  private turnTo(index: number): void {
    const statement = this.statements[index];
    this.at = index;
    if (!statement) return;
    this.text = statement.text;
    this.name = statementName(statement.text);
    this.columns = this.described.get(this.name) ?? [];
    this.answers.push([]);
  }
}

/** Parts of a connection that `Batch` uses and pg does not document. */
const UNDOCUMENTED = [
  'parsedStatements',
  'submittedNamedStatements',
  'parse',
  'bind',
  'describe',
  'execute',
  'sync',
];

/** Whether this version of pg still has them. */
function isBatchable(client: pg.ClientBase): boolean {
  const { connection } = client as unknown as { connection?: object };
  return (
    connection !== undefined &&
    UNDOCUMENTED.every((part) => part in connection) &&
    typeof utils.prepareValue === 'function'
  );
}

/**
 * Runs statements in one round trip: as one transaction of their own, or as part of the open one. Returns the rows of
 * each.
 */
export function runBatch(
  client: pg.ClientBase,
  statements: readonly Statement[],
): Promise<pg.QueryResultRow[][]> {
  if (!isBatchable(client)) return runOneByOne(client, statements);
  return new Promise((resolve, reject) => {
    client.query(new Batch(statements, resolve, reject));
  });
}

/** Sends the statements that are asked for in one turn of the event loop to a connection as one batch. */
export class BatchPerTurn {
  private waiting: (Statement & { resolve: (rows: never[]) => void; reject: (error: unknown) => void })[] =
    [];

  constructor(private readonly client: pg.ClientBase) {}

  /** The rows of one statement. If a statement of its batch fails, all of them fail with its error. */
  query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    if (this.waiting.length === 0) process.nextTick(() => this.send());
    return new Promise<Row[]>((resolve, reject) => {
      this.waiting.push({ text, values, resolve, reject });
    });
  }

  /** Sends what is still waiting, so that whatever follows on the connection comes after it. */
  send(): void {
    const sent = this.waiting;
    if (sent.length === 0) return;
    this.waiting = [];
    runBatch(this.client, sent).then(
      (answers) => sent.forEach(({ resolve }, index) => resolve(answers[index] as never[])),
      (error: unknown) => sent.forEach(({ reject }) => reject(error)),
    );
  }
}

/**
 * The same with documented parts of pg only: pg sends a Sync message after each statement, which costs the server time.
 */
async function runOneByOne(
  client: pg.ClientBase,
  statements: readonly Statement[],
): Promise<pg.QueryResultRow[][]> {
  const status = (client as { getTransactionStatus?(): string | null }).getTransactionStatus?.();
  const isInside = status === 'T' || statements[0]?.text === 'begin';
  const all = isInside ? statements : [BEGIN, ...statements, COMMIT];
  const settled = await Promise.allSettled(
    all.map(({ text, values }) => client.query<pg.QueryResultRow>(prepared(text, values))),
  );
  const rows = settled.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value.rows;
  });
  return isInside ? rows : rows.slice(1, -1);
}
