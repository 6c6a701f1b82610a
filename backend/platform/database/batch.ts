import pg from 'pg';
import { statementName, types } from './pools.js';

/** One SQL statement; the same text is prepared once per connection. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** What pg's types leave out of a query: what it asks for, and how it hears the server's answer. */
interface Heard extends pg.Query {
  name: string;
  text: string;
  _result: pg.QueryResult & { _types: pg.CustomTypesConfig };
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}

/** Notes of a connection on what it has asked the server to prepare. */
type Notes = { submittedNamedStatements: Record<string, string> };

/**
 * Statements that pg sends with one synchronisation behind the last instead of one behind each: to the server they are
 * one transaction, and one answer.
 */
class Batch extends pg.Query {
  declare private name: string;
  declare private text: string;
  /** By which pg hears that there is an answer, and its `query_timeout` ends. */
  declare private callback: ((error: Error | null) => void) | undefined;
  private readonly queries: Heard[];
  private at = 0;

  constructor(
    statements: readonly Statement[],
    private readonly resolve: (results: pg.QueryResult[]) => void,
    private readonly reject: (error: Error) => void,
  ) {
    super({ text: '' });
    this.queries = statements.map(newQuery);
    this.turnTo(0);
  }

  override submit = (connection: pg.Connection): void => {
    const withoutSync = Object.create(connection, { sync: { value: () => undefined } }) as pg.Connection;
    for (const query of this.queries) query.submit(withoutSync);
    connection.sync();
  };

  handleRowDescription(message: unknown): void {
    this.queries[this.at]!.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.queries[this.at]!.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    this.queries[this.at]!.handleCommandComplete(message, connection);
    this.turnTo(this.at + 1);
  }

  handleReadyForQuery(): void {
    this.callback?.(null);
    this.resolve(this.queries.map(({ _result }) => _result));
  }

  /** What is behind a failure was passed over by the server, and is not prepared. */
  handleError(error: Error, connection: pg.Connection): void {
    const { submittedNamedStatements } = connection as unknown as Notes;
    for (const { name } of this.queries.slice(this.at + 1)) delete submittedNamedStatements[name];
    this.callback?.(error);
    this.reject(error);
  }

  /** Under these names pg notes which statement was prepared, or could not be. */
  private turnTo(index: number): void {
    this.at = index;
    this.name = this.queries[index]?.name ?? '';
    this.text = this.queries[index]?.text ?? '';
  }
}

/** A prepared query. Handed over together, its parts would be copied one by one, which takes longer than sending them. */
function newQuery({ text, values }: Statement): Heard {
  const query = new pg.Query(text, values) as Heard;
  query.name = statementName(text);
  query._result._types = types;
  return query;
}

/** Runs statements as one transaction of their own, in one round trip; answers the result of each. */
export function runBatch(client: pg.ClientBase, statements: readonly Statement[]): Promise<pg.QueryResult[]> {
  return new Promise((resolve, reject) => {
    client.query(new Batch(statements, resolve, reject));
  });
}
