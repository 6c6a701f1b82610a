import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { backendModule } from '../../start/database.mjs';
import { compareDatabases } from '../compare.mjs';
import { line } from '../measure.mjs';
import { answer } from '../stage.mjs';

const TRAINERS = 64;
const CONNECTIONS = 8;
/** Duration of the commands before the backup begins, and of each run of commands during it. */
const SECONDS = 5;
const READ = 'select count(*)::int as events, sum(length(data::text) + length(meta::text)) from events';
const BEHIND = `select from tenant_log l join projection_checkpoint c using (tenant_id)
  where c.position < l.position or c.parked_error is not null limit 1`;

/** Measures a backup during commands, and its restore into another database, which is compared with the first. */
export async function backup(stage) {
  const environment = await stage.filled();
  const folder = await mkdtemp(
    path.join(stage.data ? path.dirname(path.resolve(stage.data)) : tmpdir(), 'rende-'),
  );
  stage.atEnd(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'rende.backup');
  const list = path.join(folder, 'forgotten');
  await writeFile(list, '');

  const trainers = await stage.trainers(environment, TRAINERS);
  // These trainers do nothing after the backup begins, so all of their data is compared, including read tables.
  const done = trainers.splice(Math.floor(trainers.length / 2));
  const server = await stage.server(environment, 'api,worker');
  await book(stage, server, done, () => true);
  let isOver = false;
  const booking = book(stage, server, trainers, () => isOver);
  const made = await command(stage, ['backup', file], environment).finally(() => (isOver = true));
  tell(`backup: ${used(made)}, ${mebibytes((await stat(file)).size)}`);
  const commands = await booking;
  const read = await settled(environment);
  await server.close();

  const target = await stage.temporaryDatabase();
  const restored = await command(stage, ['restore', file], { ...target.environment, FORGOTTEN_FILE: list });
  tell(`restauração: ${used(restored)}`);
  const began = performance.now();
  const same = await compareDatabases(environment, target.environment);
  const compared = {
    seconds: (performance.now() - began) / 1000,
    rss: process.resourceUsage().maxRSS * 1024,
  };
  await target.drop();
  const { size } = await stat(file);
  await rm(folder, { recursive: true });
  const rate = ({ seconds }) => [same.events / seconds];
  const anchor = ['só ler os eventos no banco', rate(read)];
  return {
    title: `Backup de ${number(same.events)} eventos durante ${number(commands)} comandos, e a sua restauração`,
    lines: [
      line('backup', 'eventos/s', rate(made), ...anchor),
      line('restauração: gravar, conferir, refazer, auditar', 'eventos/s', rate(restored), ...anchor),
    ],
    remarks: [
      `Arquivo: ${mebibytes(size)}. Backup: ${used(made)}. Restauração: ${used(restored)}. Comparação: ${used(compared)}.`,
      ...restored.lines.map(
        ({ seconds, text }) => `  ${seconds.toFixed(1)} s  ${text.replaceAll('\n', ' ')}`,
      ),
      `Linhas comparadas com a origem: ${number(same.rows)} em ${same.tables} tabelas, todas iguais (${number(
        same.unchanged,
      )} tenants por inteiro, ${same.changed} que gravaram depois só nos eventos de antes).`,
    ],
  };
}

/** Books sessions as fast as they are answered, until `isOver`. Returns how many. */
async function book(stage, { url }, trainers, isOver) {
  const load = stage.child('load.mjs');
  load.send({ trainers, connections: CONNECTIONS });
  let requests = 0;
  do {
    load.send({ work: 'book', url: `${url}/api/v1/sessions`, seconds: SECONDS });
    const run = await answer(load);
    if (run.refused > 0) tell(`${run.refused} reservas sem resposta 2xx`);
    requests += run.requests;
  } while (!isOver());
  load.kill();
  return requests;
}

async function command(stage, words, environment) {
  const ran = await answer(stage.child('cli-child.mjs', words, environment));
  if (ran.code !== 0) throw new Error(`${words[0]} failed: ${ran.lines.map(({ text }) => text).join(' ')}`);
  return ran;
}

/** Waits until all events are projected, and measures how long the database takes to read all events. */
async function settled({ DATABASE_OWNER_URL }) {
  const { createPool } = await backendModule('platform/database/pools.js');
  const owner = createPool(DATABASE_OWNER_URL, { max: 1, searchPath: 'public', applicationName: 'bench' });
  await owner.query('set statement_timeout = 0');
  while ((await owner.query(BEHIND)).rowCount) await delay(200);
  const began = performance.now();
  await owner.query(READ);
  const seconds = (performance.now() - began) / 1000;
  await owner.end();
  return { seconds };
}

const tell = (text) => console.error(`Rende: ${text}`);
const number = (value) => value.toLocaleString('pt-BR');
const mebibytes = (bytes) => `${number(Math.round(bytes / 2 ** 20))} MiB`;
const used = ({ seconds, rss }) => `${number(Math.round(seconds))} s, pico de ${mebibytes(rss)}`;
