import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { layers } from './zones.js';

/** Which modules read a table besides its owner, all of which stand above the owner. */
const readers: Record<string, string> = {
  'auth.sessions': 'audit notices',
  'auth.users': 'audit notices public-link',
  availability: 'agenda public-link series vacations',
  bill_payments: 'contracts',
  charge_payments: 'advisor bank-lines contracts dossier owed-sessions public-link receipts',
  charges: `advisor agenda bank-lines dossier nudges owed-sessions public-link receipts student-area what-if
    whatsapp`,
  classes: 'nudges',
  closed_tenants: 'letters',
  credit_entries: 'agenda contracts owed-sessions',
  credit_lot_balances: 'advisor agenda contracts expiry-warnings nudges owed-sessions student-area whatsapp',
  credit_lots: 'merging vacations',
  credit_sharing: 'nudges student-area',
  events: `accounts agenda audit charges contracts credits dossier merging public-link receipts seals student-area
    vacations`,
  expiry_warnings: 'whatsapp',
  financial_settings: 'finance owed-sessions',
  history: 'agenda charges contracts finance public-link receipts series student-pauses',
  holidays: 'agenda series',
  idempotency_keys: 'public-link',
  kept_files: 'accounts',
  letters_off: 'whatsapp',
  locations: `agenda calendar-feed contracts credits dossier policies public-link reminders search sessions student-area
    vacations`,
  mail_ledger: 'contracts letters reminders',
  mail_stops: 'letters students',
  make_up_rules: 'agenda',
  memberships: 'audit dossier letters notices nudges public-link reminders',
  monthly_plans: 'contracts student-pauses',
  notification_settings: 'notices',
  other_calendar_busy: 'agenda public-link series vacations',
  person_keys: 'accounts privacy',
  payer_links: 'charges',
  pix_accounts: 'agenda public-link',
  payers: 'accounts bank-lines charges letters privacy receipts whatsapp',
  pix_providers: 'public-link',
  plans: 'agenda charges credits dossier finance nudges owed-sessions students what-if',
  policies: 'agenda public-link student-area',
  projection_checkpoint: 'accounts public-link',
  public_links: 'dossier reminders student-area',
  receipt_issuers: 'contracts dossier',
  receipt_entries: 'dossier whatsapp',
  receipts: 'dossier whatsapp',
  reminders: 'student-area whatsapp',
  restores: 'seals',
  series: 'calendar-feed classes',
  seat_queues: 'student-area',
  session_slot_members: 'public-link series student-area vacations',
  services: 'agenda public-link sessions student-area',
  sessions: `advisor agenda calendar-feed classes contracts credits dossier finance nudges owed-sessions public-link reminders search
    series student-area student-pauses vacations what-if whatsapp`,
  slugs: 'public-link',
  student_pauses: 'charges credits finance nudges student-area student-pauses',
  student_access: 'charges receipts',
  student_payers: 'accounts bank-lines charges receipts whatsapp',
  students: `accounts advisor agenda audit bank-lines calendar-feed charges contracts credits dossier expiry-warnings finance
    letters notices nudges owed-sessions payers privacy public-link receipts reminders search series sessions student-area
    student-notes told-contacts vacations what-if whatsapp`,
  tasks: 'privacy search',
  tenant_log: 'accounts contracts public-link',
  tenants:
    'charges contracts finance letters notices nudges other-calendar public-link reminders series settings whatsapp',
  told_contacts: 'notices',
  transactions: 'advisor agenda bank-lines charges contracts dossier owed-sessions receipts',
  uses: 'credits payers student-imports',
  vacation_effects: 'vacations',
  vacations: 'agenda finance public-link series student-area vacations',
  waitlist: 'whatsapp',
  waitlist_offers: 'student-area',
  whatsapp_answers: 'notices',
};

/** What a module reads of those that stand above it, and why. */
const upwards: Record<string, [tables: string, why: string]> = {
  accounts: ['auth.push_subscriptions', 'A copy of an account lists the devices that are notified.'],
  agenda: [
    'classes public_links series',
    'The dashboard says what is still to be set up, and lists of sessions how many seats an hour has.',
  ],
  audit: ['receipt_entries receipts', 'An undo of a receita says which receipt it cancels.'],
  charges: [
    'receipt_entries receipt_issuers receipts',
    'The page of a charge says whom it pays, and once paid has its receipts.',
  ],
  credits: [
    'charges plan_grants',
    'The statement says whether a grant was paid, and a lot which charge paid for it.',
  ],
  finance: ['charge_claims charge_payments charges monthly_plans', 'Figures say what is still to come in.'],
  nudges: ['whatsapp_messages', 'Who could not be reached is not written to again for four weeks.'],
  platform: ['auth.signing_keys', 'A key that does not open it is not the master key of this database.'],
  reminders: [
    'session_requests whatsapp_messages',
    'Who has asked to cancel is not asked to confirm, and what was sent by itself says what became of it.',
  ],
  seals: ['auth.users memberships', 'The proof of a log is mailed to its trainer.'],
  students: [
    'charges credit_lot_balances credit_sharing monthly_plans sessions student_pauses vacations',
    'The list of students is sorted by what they did, have and owe, and says who comes less.',
  ],
};

const schema = readFileSync('backend/platform/database/schema.generated.ts', 'utf8');
const tables = [...schema.split('interface DB {')[1]!.matchAll(/^ {2}"?([\w.]+)"?: /gm)].map(
  ([, name]) => name!,
);
const WRITE = String.raw`\b(?:insert into|merge into|delete from|update|(?:insertInto|deleteFrom|updateTable)\(\s*'|table: ')\s*`;
const READ = String.raw`(?:\b(?:from|join|using)\s+\(?|(?:[fF]rom|[jJ]oin|using|Lateral)\(\s*\[?'|sql\`|tables: \[(?:'\w+', )*')`;

/** A backup, which holds all tables, does not count. */
const sources = readdirSync('backend', { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.spec|\.generated)\.ts$/.test(file) && !file.startsWith('platform/backup/'))
  .map((file) => ({ file, text: readFileSync(`backend/${file}`, 'utf8') }));

/** Where tables are named so. */
const named = (how: string) =>
  sources.flatMap(({ file, text }) => {
    const module = /^modules\/(.+?)\//.exec(file)?.[1] ?? 'platform';
    const found = text.matchAll(RegExp(String.raw`${how}(${tables.join('|')})\b(?!\()`, 'g'));
    return Array.from(found, ([, table]) => ({ file, module, table: table! }));
  });

/** Those that write a table; named here are tables that only functions of the database, libraries or a restore write. */
const writers: Record<string, string[]> = { slugs: ['accounts'] };
for (const table of ['events', 'rate_limits', 'restores', 'socket_io_attachments'])
  writers[table] = ['platform'];
for (const { table, module } of named(WRITE))
  if (!writers[table]?.includes(module)) (writers[table] ??= []).push(module);

test('every table is written by one module, its owner', () => {
  const all = tables.map((table) => ({ table, writers: writers[table] }));
  expect(all.filter((one) => one.writers?.length !== 1)).toEqual([]);
});

test('who reads the tables of another module is listed, and reads them', () => {
  const listed = Object.entries(readers).flatMap(([table, modules]) =>
    modules.split(/\s+/).map((module) => `${module} reads ${table}`),
  );
  for (const [module, [names]] of Object.entries(upwards))
    listed.push(...names.split(' ').map((table) => `${module} reads ${table} above it`));
  const order = ['platform', ...layers.flat()];
  const found = named(READ).flatMap(({ file, module, table }) => {
    const owner = writers[table]![0]!;
    const where = order.indexOf(module) < order.indexOf(owner) ? ' above it' : '';
    return owner === module ? [] : { what: `${module} reads ${table}${where}`, owner, file };
  });
  expect(found.filter(({ what }) => !listed.includes(what))).toEqual([]);
  expect(listed.filter((one) => found.every(({ what }) => what !== one))).toEqual([]);
});

/** The innermost pair of brackets around a place of a text. */
function bracketsAround(text: string, place: number): string {
  let [start, end] = [place, place];
  for (let open = 0; start > 0 && open < 1; open += text[start] === '(' ? 1 : text[start] === ')' ? -1 : 0)
    start -= 1;
  for (let open = 1; end < text.length && open > 0; end += 1)
    open += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0;
  return text.slice(start, end);
}

test('a stream that is computed from a row is looked up in a subquery that is not joined, so that an index serves', () => {
  const lookUps = sources.flatMap(({ file, text }) =>
    Array.from(text.matchAll(/(?:stream_id|subject) = '[a-z-]+:' \|\| \w+\.\w+/g), ({ index }) => ({
      file,
      subquery: bracketsAround(text, index),
    })),
  );
  expect(lookUps.length).toBeGreaterThan(10);
  expect(
    lookUps.filter(({ subquery }) => !/\b(limit|offset)\b|^\(\s*select (max|json_agg)\(/.test(subquery)),
  ).toEqual([]);
});
