import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { backendModule } from '../../start/database.mjs';
import { atMost, interleave, line } from '../measure.mjs';

const EVENTS = 10_000;
const MOST_MS = 2_000;
/** Of 365 seals. */
const DAYS = 365;
const TENANT = 'd0f2a1de-3c0b-4f43-9b13-5a3b7c1de001';
const OPEN = "select open_tenant($1, '')";
/** A command with a hundred entries of credits, as large as an entry is. */
const RECORD = `select record_command($1, l.position, l.head_hash,
    (select jsonb_agg(jsonb_build_object('stream_id', 'credit-account:' || $1::uuid, 'version', l.position + n, 'type', 'CreditConsumed',
      'schema_version', 1, 'data', jsonb_build_object('student_id', $1::uuid, 'entry_id', gen_random_uuid(), 'lot_id', gen_random_uuid(),
        'at', now(), 'causa', 'sessao', 'session_id', gen_random_uuid(), 'motivo', null))) from generate_series(1, 100) n),
    jsonb_build_object('actor', $1::uuid, 'device', $1::uuid, 'request', gen_random_uuid(), 'command', 'Bench'),
    null, null, null, null, null, l.guards)
  from tenant_log l where l.tenant_id = $1`;
const READ = 'select count(*), sum(length(data::text) + length(meta::text)) from events';
const WANTED = 'insert into integrity_checks (tenant_id, id) values ($1, gen_random_uuid())';
const RESULT = `select result ->> 'situacao' as outcome from integrity_checks where done_at is not null order by done_at desc limit 1`;

/** Verifies a log of 10,000 events with a year of seals, compared with only reading the log. */
export async function integrity(stage, { quick }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-seals-'));
  stage.atEnd(() => rm(folder, { recursive: true, force: true }));
  const environment = { ...(await stage.database()), SEALS_FOLDER: folder };
  const [{ createPool }, { IntegrityChecks }, { SealFiles }] = await Promise.all([
    backendModule('platform/database/pools.js'),
    backendModule('modules/seals/integrity-checks.service.js'),
    backendModule('modules/seals/seal-files.service.js'),
  ]);
  const owner = createPool(environment.DATABASE_OWNER_URL, {
    max: 1,
    searchPath: 'public',
    applicationName: 'bench',
  });
  await owner.query(OPEN, [TENANT]);
  for (let n = 0; n < EVENTS; n += 100) await owner.query(RECORD, [TENANT]);
  const app = await stage.app(environment, 'api');
  await writeSeals(app.get(SealFiles), owner);
  const checks = app.get(IntegrityChecks);

  const stalls = {
    check: monitorEventLoopDelay({ resolution: 1 }),
    read: monitorEventLoopDelay({ resolution: 1 }),
  };
  const subjects = {
    check: async () => {
      await owner.query(WANTED, [TENANT]);
      const duration = await timed(stalls.check, () => checks.run());
      const [{ outcome }] = (await owner.query(RESULT)).rows;
      if (outcome !== 'integro') throw new Error(`the log was found ${outcome}`);
      return duration;
    },
    read: () => timed(stalls.read, () => owner.query(READ)),
  };
  await subjects.check();
  stalls.check.reset();
  const results = await interleave(subjects, quick ? 3 : 10);
  await app.close();
  await owner.end();
  return {
    title: `Verificação de um histórico de ${EVENTS.toLocaleString('pt-BR')} eventos e ${DAYS} lacres`,
    lines: [
      atMost(MOST_MS, line('verificar', 'ms', results.check, 'só ler os eventos no banco', results.read)),
    ],
    remarks: [
      `Maior atraso do laço de eventos: ${milliseconds(stalls.check)}; só lendo: ${milliseconds(stalls.read)}.`,
    ],
  };
}

const milliseconds = ({ max }) => `${Math.round(max / 1e6)} ms`;

/** Milliseconds of this work, during which the delays of the event loop are noted. */
async function timed(stalls, work) {
  stalls.enable();
  const began = performance.now();
  await work();
  const duration = performance.now() - began;
  stalls.disable();
  return duration;
}

/** A year of seals, as if the log had grown evenly. */
async function writeSeals(files, owner) {
  await files.open();
  const { rows } = await owner.query(
    `select position, encode(hash, 'hex') as head from events where position % ${Math.floor(EVENTS / DAYS)} = 0 order by position`,
  );
  let previous = null;
  for (const [n, { position, head }] of rows.slice(0, DAYS).entries()) {
    const day = new Date(Date.UTC(2025, 0, 1 + n)).toISOString().slice(0, 10);
    await files.write(day, new Date(), previous, [{ tenantId: TENANT, position, head }]);
    previous = (await files.read(day)).hash;
  }
}
