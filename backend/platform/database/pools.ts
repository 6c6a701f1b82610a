import pg from 'pg';

const { builtins, getTypeParser } = pg.types;

/**
 * How Postgres types are returned: int8 as number (cents and counts stay under 2^53), date as 'YYYY-MM-DD' (a calendar
 * date has no zone), everything else as pg returns it (timestamptz as Date, numeric as string).
 */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.DATE, (text) => text],
  [builtins.TIMESTAMPTZ, instantFrom],
]);
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? (getTypeParser(oid, format) as (text: string) => unknown),
};

export interface PoolSettings {
  max: number;
  searchPath: string;
  applicationName: string;
  /** Further settings of its sessions, by name. */
  session?: Record<string, string>;
  /** A query without an answer within this time fails and closes its connection; without it there is no limit. */
  answerWithinMs?: number;
  /** A statement that takes longer is cancelled: two seconds less than `answerWithinMs`, or 30 s, unless given. */
  statementMs?: number;
  /**
   * A transaction that takes longer is ended together with its connection. No other limit ends the transaction of a
   * process that froze while sending: between two statements that are sent together, Postgres measures no idle time.
   */
  transactionMs?: number;
}

/**
 * A connection that is closed where it leads to a standby, which says so before the connection is ready: a pool would keep it,
 * and every command on it would fail. Addresses that follow the primary may lead there while a standby is being promoted.
 */
class PrimaryClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: pg.Connection };
    connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
      if (parameterName === 'in_hot_standby' && parameterValue === 'on')
        connection.stream.destroy(new Error('Connection terminated: the server is a standby'));
    });
  }
}

/** For Postgres 17 and newer, unless the address or the role sets a limit already. */
const LIMIT_TRANSACTIONS =
  "select set_config(name, $1, false) from pg_settings where name = 'transaction_timeout' and setting = '0'";

/**
 * A pool whose clients pipeline: statements sent without waiting for each other share one round trip.
 * Waiting for a connection fails after 5 s, and a statement after 30 s (8 s where a request waits for it), instead of
 * waiting without end.
 */
export function createPool(connectionString: string, settings: PoolSettings): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(connectionString, settings),
    Client: PrimaryClient,
    max: settings.max,
    idleTimeoutMillis: 60_000,
  });
  // A connection that breaks fails its queries and is replaced by the pool, idle or not. Without a listener, the
  // process would end.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    // Queued before the first statement. If the connection is lost, that statement fails too.
    if (settings.transactionMs !== undefined)
      client.query(LIMIT_TRANSACTIONS, [settings.transactionMs]).catch(() => undefined);
  });
  return pool;
}

/** A connection like those of a pool, not open yet. */
export function newClient(connectionString: string, settings: Omit<PoolSettings, 'max'>): pg.Client {
  return new PrimaryClient(clientConfig(connectionString, settings));
}

function clientConfig(
  connectionString: string,
  { searchPath, applicationName, session, answerWithinMs, statementMs }: Omit<PoolSettings, 'max'>,
): pg.ClientConfig {
  const settings = Object.entries({ search_path: searchPath, ...session });
  return {
    connectionString,
    application_name: applicationName,
    options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' '),
    connectionTimeoutMillis: 5_000,
    // Shorter than `query_timeout`, so that normally the server ends the statement.
    statement_timeout: statementMs ?? (answerWithinMs ? answerWithinMs - 2_000 : 30_000),
    query_timeout: answerWithinMs,
    idle_in_transaction_session_timeout: 15_000,
    keepAlive: true,
    // So that a connection that only listens ends half a minute after its server has gone without closing it, not hours later.
    keepAliveInitialDelayMillis: 15_000,
    pipeline: true,
    types,
  };
}

const names = new Map<string, string>();

/** Name of the prepared statement for a text, the same in every connection of this process. */
export function statementName(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = `s${names.size}`;
    names.set(text, name);
  }
  return name;
}

/** A prepared statement: planned once per connection, then only bound and executed. */
export function prepared(text: string, values: unknown[]): pg.QueryConfig {
  return { name: statementName(text), text, values };
}

const parse = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;

const ZERO = '0'.charCodeAt(0);

/**
 * Parses 'YYYY-MM-DD hh:mm:ss[.ffffff]+00', the format of Postgres in a session in UTC, digit by digit, and leaves all
 * other formats to the parser of pg. That takes five times as long, and rows of lists have two instants each.
 * Microseconds are cut off.
 */
export function instantFrom(text: string): Date {
  const end = text.length - 3;
  if (text[4] !== '-' || text[10] !== ' ' || !text.endsWith('+00')) return parse(text);
  const digit = (at: number) => text.charCodeAt(at) - ZERO;
  const two = (at: number) => digit(at) * 10 + digit(at + 1);
  const fraction = (at: number) => (at < end ? digit(at) : 0);
  const year = two(0) * 100 + two(2);
  // Date.UTC would read years before 100 as years of the twentieth century.
  if (year < 100) return parse(text);
  const ms = fraction(20) * 100 + fraction(21) * 10 + fraction(22);
  return new Date(Date.UTC(year, two(5) - 1, two(8), two(11), two(14), two(17), ms));
}
