// `npm run bench [-- figure…] [--quick] [--json] [--output file]`: measures on a Postgres of its own, which is thrown
// away, and prints each figure beside an anchor of the same run.
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../start/build.mjs';
import { fail, Halt } from '../start/halt.mjs';
import { bookings } from './figures/bookings.mjs';
import { commands } from './figures/commands.mjs';
import { rebuild } from './figures/rebuild.mjs';
import { visible } from './figures/visible.mjs';
import { table } from './measure.mjs';
import { Stage } from './stage.mjs';

const figures = { commands, visible, bookings, rebuild };

const stage = new Stage();
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    console.error('Rende: encerrando…');
    stage.close().finally(() => process.exit(130));
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
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: 'boolean' }, json: { type: 'boolean' }, output: { type: 'string' } },
  });
  const unknown = positionals.find((name) => !figures[name]);
  if (unknown) throw new Halt(`não há a medida "${unknown}". Há: ${Object.keys(figures).join(', ')}.`);
  await ensureBuilt(['backend']);

  const record = {
    at: new Date().toISOString(),
    quick: values.quick ?? false,
    machine: {
      cpu: os.cpus()[0].model,
      cores: os.availableParallelism(),
      node: process.version,
      load: os.loadavg()[0],
    },
    figures: {},
  };
  for (const name of positionals.length > 0 ? positionals : Object.keys(figures)) {
    console.error(`Rende: medindo ${name}…`);
    record.figures[name] = await figures[name](stage, { quick: record.quick });
    if (!values.json) console.log(table(record.figures[name]));
  }
  const json = JSON.stringify(record, null, 2);
  if (values.json) console.log(json);
  if (values.output) await writeFile(values.output, `${json}\n`);
}
