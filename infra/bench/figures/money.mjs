import { execFile } from 'node:child_process';
import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { Api } from '../../demo/api.mjs';
import { newAccount } from '../../demo/people.mjs';
import { backendModule } from '../../start/database.mjs';
import { atMost, interleave, line, percentiles } from '../measure.mjs';
import { answer } from '../stage.mjs';
import { BEHIND_A_PROXY } from '../visitor.mjs';

const YEARS = 5;
/** Payments of about 20 students, and a business's expenses. */
const ENTRIES_A_MONTH = 40;
const WRITERS = 8;
const NOTICES_AT_ONCE = 50;
const TOLD_AGAIN = 1_000;
/** Of what is read as of a moment of five years, and of a chain of whys. */
const PAST_MOST_MS = 300;
const ARCHIVE_MOST = { seconds: 20, megabytes: 200 };

/** Measures the month page of a trainer with five years of entries, and notices from a payment provider. */
export async function money(stage, { quick }) {
  const environment = { ...(await stage.database()), ...BEHIND_A_PROXY };
  const server = await stage.server(environment, 'api,worker');
  const api = new Api(server.url);
  await api.signUp(newAccount('Cinco Anos'));
  const { id: student_id } = await api.write('POST', '/students', {
    nome: 'Aluna de Carga',
    whatsapp: '(11) 98765-4321',
  });
  const months = lastMonths(YEARS * 12);
  const entries = months.flatMap((month) =>
    Array.from({ length: ENTRIES_A_MONTH }, (_, n) => entryOf(month, n, student_id)),
  );
  const left = [...entries];
  const writer = async () => {
    for (let entry = left.pop(); entry; entry = left.pop()) await api.write('POST', '/transactions', entry);
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));

  const month = months[0];
  const paths = [`/finance/months/${month}`, `/transactions?month=${month}`];
  const page = () => Promise.all(paths.map((path) => api.read(path)));
  const year = () => api.read(`/finance/years/${month.slice(0, 4)}`);
  const bare = stage.child('echo-server.mjs', [JSON.stringify(await page())]);
  const bareUrl = await answer(bare);
  const requests = quick ? 60 : 300;
  const rounds = async (work, count = requests) => {
    const before = await server.cpuSeconds();
    const taken = [];
    for (let n = 0; n < count; n += 1) taken.push(await timed(work));
    return { ...percentiles(taken), cpu: (((await server.cpuSeconds()) - before) * 1000) / count };
  };
  const subjects = {
    page: () => rounds(page),
    year: () => rounds(year),
    bare: () => rounds(async () => (await fetch(bareUrl)).text()),
  };
  await subjects.page();
  const results = await interleave(subjects, quick ? 3 : 7);
  bare.kill();
  const of = (name, key) => results[name].map((result) => result[key]);

  const hook = await api.read('/settings/pix/webhook');
  const tell = (pix) => noticeOf(server.url, hook, pix);
  const [settling, again] = [[], []];
  for (let round = 0; round < (quick ? 2 : 5); round += 1) {
    const charges = await Promise.all(Array.from({ length: NOTICES_AT_ONCE }, () => charge(api, student_id)));
    const taken = [];
    for (const txid of charges) taken.push(await timed(() => tell(pixOf(txid))));
    settling.push(percentiles(taken));
    const same = pixOf(await charge(api, student_id));
    await tell(same);
    const before = await server.cpuSeconds();
    const began = performance.now();
    for (let told = 0; told < TOLD_AGAIN; told += NOTICES_AT_ONCE)
      await Promise.all(Array.from({ length: NOTICES_AT_ONCE }, () => tell(same)));
    again.push({
      perSecond: TOLD_AGAIN / ((performance.now() - began) / 1000),
      cpu: (((await server.cpuSeconds()) - before) * 1000) / TOLD_AGAIN,
    });
  }

  const { url: area } = await api.write('POST', `/students/${student_id}/area-link`);
  const inLog = await fillLog(environment, student_id);
  const at = new Date().toISOString();
  const week = new Date(Date.parse(at) - 7 * 24 * 3_600_000).toISOString();
  const past = [];
  for (const [what, path] of [
    ['mês como estava em', `/finance/months/${month}?at=${at}`],
    ['o que mudou no mês desde', `/finance/months/${month}/changes?at=${at}`],
    ['aulas devidas como estavam em', `/finance/owed-sessions?month=${month}&at=${at}`],
    ['quem deve como estava em', `/receivables/students?at=${at}`],
    ['créditos como estavam em', `/students/${student_id}/credits?at=${at}`],
    ['semana como estava em', `/sessions?from=${week}&to=${at}&limit=100&at=${at}`],
    ['aluno como estava em', `/students/${student_id}?at=${at}`],
    ['pagamentos do aluno como estavam em', `/students/${student_id}/payments?limit=5&at=${at}`],
    ['contratos do aluno como estavam em', `/signature-requests?student_id=${student_id}&at=${at}`],
    ['cobranças como estavam em', `/charges?limit=15&at=${at}`],
    ['por que o saldo é este', `/why?de=balance:${student_id}`],
  ])
    past.push({ what, ...(await rounds(() => api.read(path), quick ? 10 : 50)) });
  const own = (path) =>
    fetch(`${server.url}/api/v1/student/${path}?at=${at}`, {
      headers: { 'Rende-Link': area.split('/').at(-1) },
    }).then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(`${path}: ${answer.status}`))));
  for (const path of ['sessions', 'charges', 'payments'])
    past.push({
      what: `/student/${path} como estava em`,
      ...(await rounds(() => own(path), quick ? 10 : 50)),
    });
  await server.close();
  const archive = await archiveOf(stage, environment, quick ? 2 : 5);
  return {
    title: `Financeiro de ${YEARS} anos com ${entries.length} lançamentos, um pedido por vez`,
    lines: [
      ...['p50', 'p99'].map((key) =>
        line(`mês e seu histórico, ${key}`, 'ms', of('page', key), 'node:http só', of('bare', key)),
      ),
      line('mês e seu histórico, CPU do servidor', 'ms', of('page', 'cpu')),
      line('ano, p50', 'ms', of('year', 'p50')),
      line(
        'aviso de Pix que dá baixa, p50',
        'ms',
        settling.map(({ p50 }) => p50),
      ),
      line(
        'aviso de Pix que dá baixa, p99',
        'ms',
        settling.map(({ p99 }) => p99),
      ),
      line(
        `o mesmo aviso ${TOLD_AGAIN} vezes, vazão`,
        'avisos/s',
        again.map(({ perSecond }) => perSecond),
      ),
      line(
        `o mesmo aviso ${TOLD_AGAIN} vezes, CPU por aviso`,
        'ms',
        again.map(({ cpu }) => cpu),
      ),
      ...past.flatMap(({ what, p50, cpu }) => [
        atMost(PAST_MOST_MS, line(`${what}, ${inLog} eventos, p50`, 'ms', [p50])),
        line(`${what}, ${inLog} eventos, CPU do servidor`, 'ms', [cpu]),
      ]),
      atMost(ARCHIVE_MOST.seconds, line(`arquivo completo, ${inLog} eventos`, 's', archive.made)),
      atMost(ARCHIVE_MOST.megabytes, line('arquivo completo', 'MB', [archive.megabytes])),
      line('conferir o arquivo sem o Rende', 's', archive.verified),
    ],
  };
}

const OWNER = `select m.tenant_id as "tenantId", m.user_id as "userId" from memberships m join tenant_log l using (tenant_id)
  where m.role = 'personal' order by l.position desc limit 1`;

/** The filled events were written past the log's head. */
const MOVE = `update tenant_log l set position = e.position from
  (select tenant_id, max(position) as position from events group by tenant_id) e where e.tenant_id = l.tenant_id`;

/** Writes the archive of the trainer with the longest log, and verifies it as a person does. */
async function archiveOf(stage, environment, rounds) {
  const [{ ExportWriter }, { Config }, { writeTenantArchive }, { createPool }] = await Promise.all([
    backendModule('modules/accounts/own-data/export-writer.js'),
    backendModule('platform/config/env.js'),
    backendModule('platform/backup/tenant-archive-writer.js'),
    backendModule('platform/database/pools.js'),
  ]);
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-archive-'));
  stage.atEnd(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'arquivo-completo.jsonl');
  const app = await stage.app(environment, 'api');
  const owner = createPool(environment.DATABASE_OWNER_URL, {
    max: 1,
    searchPath: 'public',
    applicationName: 'bench',
  });
  const client = await owner.connect();
  await client.query(MOVE);
  const [whose] = (await client.query(OWNER)).rows;
  const [made, verified] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    await client.query('begin isolation level repeatable read, read only');
    const lines = () => writeTenantArchive(client, app.get(Config), whose, app.get(ExportWriter));
    made.push((await timed(() => writeFile(file, lines()))) / 1000);
    await client.query('commit');
    const verify = () =>
      promisify(execFile)(process.execPath, ['frontend/public/verificar-arquivo.mjs', file]);
    verified.push((await timed(verify)) / 1000);
  }
  const { size } = await stat(file);
  client.release();
  await owner.end();
  await app.close();
  return { made, verified, megabytes: size / 1e6 };
}

/** As instants are stored. */
const BEGUN = `to_char(now() at time zone 'utc' - n * interval '43 minutes', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const OF_ONE_IN_40 = `case n % 40 when 0 then $1::text else md5('student' || n % 40)::uuid::text end`;
/**
 * Adds to the log, and only there, what else five years of 40 students have: 1,800 paid charges, 60,000 events of sessions, and 960
 * lots of credits with the use of 9,600. One in 40 is of the student.
 */
const FILL = `with one as (select t.tenant_id, t.position, e.meta from tenant_log t join events e using (tenant_id, position)
    order by t.position desc limit 1),
  charges as (select n, gen_random_uuid() as id, gen_random_uuid() as receita from generate_series(1, 1800) n),
  added as (
    select 'charge:' || id as stream_id, 1 as version, 'ChargeIssued' as type, jsonb_build_object('charge_id', id,
      'student_id', ${OF_ONE_IN_40}, 'descricao', null, 'valor', 45000, 'vencimento', (now() - n * interval '1 day')::date,
      'link_id', gen_random_uuid(), 'token_hash', repeat('0', 64), 'creditos', 0, 'validade_dias', null, 'origem', 'avulsa',
      'plano_id', null, 'session_id', null, 'mes', null, 'txid', replace(id::text, '-', '')) as data from charges
    union all
    select 'charge:' || id, 2, 'ChargePaid', jsonb_build_object('charge_id', id, 'student_id', ${OF_ONE_IN_40},
      'payment_id', gen_random_uuid(), 'transaction_id', receita, 'valor', 44000, 'data', now()::date,
      'metodo_pagamento', 'pix', 'falta', 1000, 'lot_id', null) from charges
    union all
    select 'session:' || gen_random_uuid(), 1, 'SessionBooked', jsonb_build_object('session_id', gen_random_uuid(),
      'student_id', ${OF_ONE_IN_40}, 'inicio', ${BEGUN}, 'fim', ${BEGUN}, 'observacoes', null) from generate_series(1, 60000) n
    union all
    select 'credit-account:' || ${OF_ONE_IN_40}, 1000 + n, 'CreditsGranted', jsonb_build_object('student_id', ${OF_ONE_IN_40},
      'entry_id', md5('lot' || n)::uuid, 'at', now(), 'lot_id', md5('lot' || n)::uuid, 'quantidade', 10, 'plano_id', null,
      'expira_em', null, 'expires_at', null, 'timezone', 'America/Sao_Paulo') from generate_series(1, 960) n
    union all
    select 'credit-account:' || ${OF_ONE_IN_40}, 3000 + n, 'CreditConsumed', jsonb_build_object('student_id', ${OF_ONE_IN_40},
      'entry_id', gen_random_uuid(), 'at', now(), 'lot_id', md5('lot' || (1 + (n - 1) % 960))::uuid, 'causa', 'sessao',
      'session_id', gen_random_uuid(), 'motivo', null) from generate_series(1, 9600) n
  )
  insert into events (tenant_id, position, stream_id, version, type, schema_version, data, meta, recorded_at, hash)
  select tenant_id, position + row_number() over (order by version), stream_id, version, type, 1, data, meta, clock_timestamp(), sha256('')
  from one, added`;

/** Returns the number of events in the trainer's log. */
async function fillLog({ DATABASE_OWNER_URL }, student_id) {
  const client = new pg.Client({ connectionString: DATABASE_OWNER_URL });
  await client.connect();
  await client.query(FILL, [student_id]);
  await client.query('vacuum analyze events');
  const { rows } = await client.query('select max(position)::int as position from events');
  await client.end();
  return rows[0].position;
}

/** The last month, such as `2026-10`, and the months before it. */
function lastMonths(count) {
  const now = new Date();
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1 - back, 1)).toISOString().slice(0, 7),
  );
}

function entryOf(month, n, student_id) {
  const common = { data: `${month}-${String((n % 28) + 1).padStart(2, '0')}`, metodo_pagamento: 'pix' };
  return n % 4 === 0
    ? { ...common, tipo: 'despesa', descricao: 'Sala', valor: 5_000 + n, categoria: 'aluguel' }
    : {
        ...common,
        tipo: 'receita',
        descricao: 'Mensalidade',
        valor: 40_000 + n,
        ...(n % 40 === 1 && { student_id }),
      };
}

/** Creates a charge, and returns its identifier at the provider (txid). */
async function charge(api, student_id) {
  const vencimento = new Date().toISOString().slice(0, 10);
  const terms = { student_id, descricao: 'Avulsa', valor: 10_000, vencimento };
  const { id } = await api.write('POST', '/charges', terms);
  return `R0${id.replaceAll('-', '').slice(0, 23).toUpperCase()}`;
}

const pixOf = (txid) => ({
  endToEndId: `E${randomUUID().replaceAll('-', '').slice(0, 31)}`,
  txid,
  valor: '100.00',
  horario: new Date().toISOString(),
});

/** Sends a provider's notice, each from another IP address, as large providers do. */
async function noticeOf(url, hook, pix) {
  const body = JSON.stringify({ pix: [pix] });
  const response = await fetch(url + new URL(hook.url).pathname, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`,
      'x-signature': createHmac('sha256', hook.segredo).update(body).digest('hex'),
    },
    body,
  });
  await response.arrayBuffer();
  if (response.status !== 204) throw new Error(`the notice was answered with ${response.status}`);
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
