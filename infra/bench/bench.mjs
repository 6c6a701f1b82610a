// `npm run bench [-- figure…] [--quick] [--events n] [--data folder] [--json] [--output file]`: measures on a Postgres of
// its own and prints each figure beside a baseline (anchor) of the same run. Fails where a figure is above its limit. `--events` first fills the log with about that
// many events; since this takes a while, `--data` keeps the database for the next run.
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../start/build.mjs';
import { fail, ExpectedError } from '../start/expected-error.mjs';
import { accounts } from './figures/accounts.mjs';
import { advisor } from './figures/advisor.mjs';
import { agenda } from './figures/agenda.mjs';
import { backup } from './figures/backup.mjs';
import { bookings } from './figures/bookings.mjs';
import { commands } from './figures/commands.mjs';
import { hints } from './figures/hints.mjs';
import { importOfStudents } from './figures/import.mjs';
import { integrity } from './figures/integrity.mjs';
import { money } from './figures/money.mjs';
import { neighbours } from './figures/neighbours.mjs';
import { readStudent } from './figures/read-student.mjs';
import { rebuild } from './figures/rebuild.mjs';
import { signatures } from './figures/signatures.mjs';
import { slots } from './figures/slots.mjs';
import { visible } from './figures/visible.mjs';
import { visitors } from './figures/visitors.mjs';
import { table, tooMuchOf } from './measure.mjs';
import { Stage } from './stage.mjs';

const figures = {
  commands,
  visible,
  bookings,
  agenda,
  hints,
  'read-student': readStudent,
  advisor,
  rebuild,
  accounts,
  backup,
  neighbours,
  slots,
  visitors,
  signatures,
  money,
  import: importOfStudents,
  integrity,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    events: { type: 'string' },
    data: { type: 'string' },
    json: { type: 'boolean', default: false },
    output: { type: 'string' },
  },
});
const { quick } = values;
const events = values.events && Number(values.events);
const stage = new Stage({ events, data: values.data });
// With --json, stdout must contain only the record: other messages go to stderr.
const print = console.log;
if (values.json) console.log = console.error;
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    console.error('Rende: encerrando…');
    void stage.close().finally(() => process.exit(130));
  });
}

try {
  await run();
} catch (error) {
  if (!stopping) fail(error);
}
if (!stopping) {
  await stage.close();
  process.exit();
}

async function run() {
  const unknown = positionals.find((name) => !figures[name]);
  if (unknown)
    throw new ExpectedError(`não há a medida "${unknown}". Há: ${Object.keys(figures).join(', ')}.`);
  await ensureBuilt(['backend']);

  const record = {
    at: new Date().toISOString(),
    quick,
    events,
    machine: {
      cpu: os.cpus()[0].model,
      cores: os.availableParallelism(),
      memoryMiB: Math.round(os.totalmem() / 2 ** 20),
      load: os.loadavg()[0],
    },
    versions: { os: os.release(), node: process.versions.node, ...(await stage.versions()) },
    figures: {},
  };
  for (const name of positionals.length > 0 ? positionals : Object.keys(figures)) {
    console.error(`Rende: medindo ${name}…`);
    record.figures[name] = await figures[name](stage, { quick });
    if (!values.json) console.log(table(record.figures[name]));
  }
  const json = JSON.stringify(record, null, 2);
  if (values.json) print(json);
  if (values.output) await writeFile(values.output, `${json}\n`);
  const tooMuch = tooMuchOf(record);
  if (tooMuch.length > 0) throw new ExpectedError(`acima do limite:\n${tooMuch.join('\n')}`);
}
