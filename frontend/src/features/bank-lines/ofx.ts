import {
  clean,
  centsOf,
  dayOfParts,
  isBalance,
  MOST_STATEMENT_LINES,
  type ReadLines,
  UnreadableStatement,
  withKeys,
} from './statement.js';

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Decodes the five standard entities and numeric ones; others stay unchanged. */
const unescape = (text: string) =>
  text.replace(/&(#x?[\da-f]{1,6}|[a-z]{2,5});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return NAMED[name.toLowerCase()] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });

/** Each tag with the text up to the next tag, because SGML, unlike XML, has no closing tags. */
function* tags(text: string): Generator<[name: string, value: string]> {
  let closes = true;
  for (let at = text.indexOf('<'); at !== -1;) {
    if (text.startsWith('<![CDATA[', at)) {
      // CDATA was already read with the tag before it.
      at = text.indexOf('<', at + 9);
      continue;
    }
    const end = text.indexOf('>', at);
    if (end === -1) return;
    const name = text
      .slice(at + 1, end)
      .trim()
      .toUpperCase();
    const isQuoted = text.startsWith('<![CDATA[', end + 1);
    // After one search without a result, do not search again, so that a hostile file also takes linear time.
    const close: number = isQuoted && closes ? text.indexOf(']]>', end) : -1;
    if (isQuoted) closes = close !== -1;
    const next = isQuoted && close !== -1 ? text.indexOf('<', close) : text.indexOf('<', end);
    const last = close !== -1 ? close : next === -1 ? text.length : next;
    const value = text.slice(isQuoted ? end + 10 : end + 1, last);
    yield [name, isQuoted ? value : unescape(value)];
    at = next;
  }
}

export const isOfx = (text: string): boolean => /<OFX[\s>]/i.test(text.slice(0, 20_000));

type Fields = Map<string, string>;

/**
 * The transactions of an OFX file, 1.x (SGML) or 2.x (XML), read from its tags, without entities that the file defines.
 * Transactions without a date or an amount are counted as unread, and lines of balance as balances.
 */
export function readOfx(text: string): ReadLines {
  const found: (Fields & { account?: string })[] = [];
  const accounts: string[] = [];
  let bank = '';
  let account = '';
  let current: Fields | null = null;
  const close = () => {
    if (current) {
      if (found.length >= MOST_STATEMENT_LINES)
        throw new UnreadableStatement('O extrato tem linhas demais: exporte um período menor.');
      found.push(current);
      accounts.push(`${bank}-${account}`);
    }
    current = null;
  };
  for (const [name, value] of tags(text)) {
    if (name === 'STMTTRN') {
      close();
      current = new Map();
    } else if (name === '/STMTTRN' || name === '/BANKTRANLIST') close();
    else if (current) {
      if (!current.has(name) && !name.startsWith('/')) current.set(name, value.trim());
    } else if (name === 'BANKID') bank = value.trim();
    else if (name === 'ACCTID') account = value.trim();
  }
  close();
  const isSigned = found.some((fields) => /[-\u2212(]/.test(fields.get('TRNAMT') ?? ''));
  const read = found.map((fields, at) => lineOf(fields, accounts[at]!, isSigned));
  const entries = read.filter((line) => line !== null);
  const lines = entries.filter((line) => !isBalance(line));
  const [unread, balances] = [read.length - entries.length, entries.length - lines.length];
  return { lines: withKeys(lines), unread, balances };
}

/** Types of outgoing money: a debit is that without a sign too, the others where the whole file has no signs. */
const OUTGOING = /^(directdebit|payment|repeatpmt|check|fee|srvchg|pos|atm|cash)$/i;

/** The amount with its sign; some banks write only the type. */
function amountOf(fields: Fields, isSigned: boolean): number | null {
  const [type, text] = [fields.get('TRNTYPE') ?? '', fields.get('TRNAMT') ?? ''];
  const cents = centsOf(text);
  if (cents === null || cents < 0 || /^\s*\+/.test(text)) return cents;
  return /^debit$/i.test(type) || (!isSigned && OUTGOING.test(type)) ? -cents : cents;
}

function lineOf(fields: Fields, account: string, isSigned: boolean) {
  const [, year = '', month = '', day = ''] =
    /^(\d{4})(\d{2})(\d{2})/.exec(fields.get('DTPOSTED') ?? '') ?? [];
  const data = dayOfParts(year, month, day);
  const valor = amountOf(fields, isSigned);
  if (!data || !valor) return null;
  const words = [fields.get('NAME'), fields.get('MEMO')].map((part) => clean(part ?? ''));
  const texto = clean([...new Set(words)].filter(Boolean).join(' '));
  return { data, valor, texto, name: clean(`ofx/${account}/${fields.get('FITID') || texto}`) };
}
