import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { beforeAll, expect, it } from '@jest/globals';
import { addHours } from 'date-fns';
import type { Imported } from '../../backend/modules/student-imports/student-imports.api.js';
import { atEnd } from '../support/cleanup.js';
import { eventually } from '../support/eventually.js';
import type { Trainer } from '../support/people.js';
import { privatePort } from '../support/ports.js';
import type { TestProcess } from '../support/process.js';
import { rounds } from '../support/rounds.js';
import type { SentCommand } from './harness/history.js';
import { heardLive } from './harness/signs-of-life.js';
import { openStage, type Stage } from './harness/stage.js';
import { openWire, type Statement, type Wire } from './harness/wire.js';

/** How many commands succeed between two steps of a restart. */
const RESTART_COMMANDS = rounds(25, 50);

interface Victim {
  process: TestProcess;
  wire: Wire;
}

type Request = [path: string, body?: object];

let stage: Stage;
/** API processes, each on its own wire; a next one is always being started. */
const victims: Promise<Victim>[] = [];
let turns = 0;
let hours = 0;

async function startVictim(): Promise<Victim> {
  const wire = await openWire(stage.database);
  return { wire, process: await stage.start('api', { database: wire.database }) };
}

type Do = (...request: Request) => Promise<string>;

/** Runs the commands that the tested one needs beforehand on this process. */
function doneBy({ url }: TestProcess, trainer: Trainer): Do {
  return async (path, body) => {
    const command = stage.history.command(trainer, 'POST', path, body);
    const { body: answer } = await stage.history.attempt(command, url);
    return (answer as { id: string }).id;
  };
}

const student = { nome: 'Ana', telefone: '(11) 98765-4321' };

const booking = (student_id: string) => {
  const inicio = addHours(Date.UTC(2025, 0, 1), (hours += 1));
  return { student_id, inicio, fim: addHours(inicio, 1) };
};

const booked = async (done: Do): Promise<Request> => {
  const student_id = await done('/students', student);
  await done('/sessions', booking(student_id));
  return ['/sessions', booking(student_id)];
};

const ON_MEMORY = 'the booking of a session, decided on memory';
/**
 * Commands that write a person's key, reserve a time and use a credit, each with the commands that it needs beforehand. These
 * run on the process that is to be killed where it shall remember them, else on another one.
 */
const kinds: Record<string, (done: Do) => Promise<Request>> = {
  'the registration of a student': () => Promise.resolve(['/students', student]),
  'the booking of a session': booked,
  [ON_MEMORY]: booked,
  'the completion of a session': async (done) => {
    const student_id = await done('/students', student);
    await done(`/students/${student_id}/credits/adjust`, { quantidade: 1, motivo: 'pacote' });
    return [`/sessions/${await done('/sessions', booking(student_id))}/complete`];
  },
};

async function prepare(kind: string, trainer: Trainer, victim: Victim): Promise<SentCommand> {
  const done = doneBy(kind === ON_MEMORY ? victim.process : stage.apis[0]!, trainer);
  return stage.history.command(trainer, 'POST', ...(await kinds[kind]!(done)));
}

/** A proxy to a process that passes on no answers; `answered` resolves when the process has answered. */
async function deafWay({ url }: TestProcess): Promise<{ url: string; answered: Promise<unknown> }> {
  const port = await privatePort();
  let heard: () => void;
  const answered = new Promise<void>((resolve) => (heard = resolve));
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(url).port), '127.0.0.1');
    client.pipe(upstream);
    upstream.on('data', () => heard());
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      socket.on('error', () => undefined).on('close', () => other.destroy());
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  atEnd(() => server.close());
  return { url: `http://127.0.0.1:${port}`, answered };
}

/** Sends the command to a process that is killed once `reached` resolves, then retries on another process with the same key. */
async function killedOnce(
  kind: string,
  reached: (victim: Victim) => Promise<{ url: string; reached: Promise<unknown> }>,
): Promise<SentCommand> {
  const trainer = stage.trainers[(turns += 1) % stage.trainers.length]!;
  const victim = await victims.shift()!;
  victims.push(startVictim());
  const command = await prepare(kind, trainer, victim);
  const way = await reached(victim);
  const attempt = stage.history.attempt(command, way.url);
  await way.reached;
  await victim.process.end('SIGKILL');
  await attempt;
  expect(command.outcome).toBe('unknown');
  await stage.history.insist(command, stage.urls);
  expect(command.outcome).toBe('acknowledged');
  return command;
}

/** The numbers of the command's attempts that recorded events. */
async function effects({ key }: SentCommand): Promise<number[]> {
  const rows = await stage.database.query<{ attempt: number }>(
    `select distinct split_part(meta->>'request', '.', 2)::int as attempt from events where meta->>'request' like $1`,
    [`${key}.%`],
  );
  return rows.map(({ attempt }) => attempt);
}

beforeAll(async () => {
  stage = await openStage({ apis: 1, workers: 1 });
});

const states = (path: string) =>
  Promise.all(
    [...stage.apis, ...stage.workers].map(async ({ opsUrl }) => (await fetch(`${opsUrl}${path}`)).status),
  );
const all = (status: number) =>
  Array.from({ length: stage.apis.length + stage.workers.length }, () => status);

it('connections that are cut one by one cause no loss', async () => {
  await stage.underLoad(async (load) => {
    for (let turn = 0; turn < rounds(4, 12); turn += 1) {
      const cut = await stage.database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name like 'rende-%' order by state = 'idle', random() limit 4`,
      );
      expect(cut.length).toBeGreaterThan(0);
      await load.acknowledged(10);
    }
  });
});

it('a killed backend, which makes Postgres drop every connection and recover, causes no loss', async () => {
  await stage.underLoad(async (load) => {
    for (let turn = 0; turn < rounds(1, 3); turn += 1) {
      const [backend] = await stage.database.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'rende-app' order by state = 'idle' limit 1`,
      );
      process.kill(backend!.pid, 'SIGKILL');
      await load.acknowledged(40);
    }
  });
});

it('without Postgres every answer is 503 with Retry-After, and everything works again when it is back', async () => {
  const { history, database, trainers, apis } = stage;
  const answers = () => history.commands.flatMap(({ attempts }) => attempts.filter(({ status }) => status));
  for (let turn = 0; turn < rounds(1, 2); turn += 1) {
    await stage.underLoad(async (load) => {
      await load.acknowledged(30);
      await database.crash();
      const before = answers().length;
      await eventually(() => Promise.resolve(answers().length > before + 60), true);
      const [last] = answers().slice(-1);
      expect(last).toMatchObject({ status: 503, body: { code: 'busy' } });
      expect(await states('/health/live')).toEqual(all(200));
      expect(await states('/health/ready')).toEqual(all(503));
      await database.restart();
      await load.acknowledged(30);
    });
    await eventually(() => states('/health/ready'), all(200));
    for (const api of apis) await heardLive(api, trainers[0]!, history);
  }
  const unanswered = history.commands.flatMap(({ attempts }) => attempts.filter(({ status }) => !status));
  expect(unanswered).toEqual([]);
});

it.each(Object.keys(kinds))(
  '%s happens once, with one answer, at whatever statement the process that began it was killed',
  async (kind) => {
    if (victims.length === 0) victims.push(startVictim());
    const victim = await victims[0]!;
    const first = await prepare(kind, stage.trainers[0]!, victim);
    const transaction = victim.wire.transaction(({ sql }) => sql.includes('record_command'));
    await stage.history.attempt(first, victim.process.url);
    const statements = await transaction;
    const last = statements.length - 1;
    expect(statements[0]).toBe('begin');
    expect(statements.some((sql) => sql.includes('lock_log'))).toBe(kind !== ON_MEMORY);
    expect(last).toBeGreaterThan(1);

    const at = (moment: 'before' | 'after', place: number) =>
      killedOnce(kind, ({ process, wire }) => {
        const isThere = ({ sql, index }: Statement) => index === place && sql === statements[place];
        return Promise.resolve({ url: process.url, reached: wire.hold(moment, isThere) });
      });
    // In a long run, at every one.
    const places = rounds(1, last);
    for (let n = 0; n < places; n += 1) {
      const place = 1 + Math.floor(((n + 0.5) * last) / places);
      expect(await effects(await at('before', place))).toEqual([1]);
    }
    expect(await effects(await at('after', last))).toEqual([0]);
  },
);

it.each(Object.keys(kinds).slice(-rounds(1, 3)))(
  '%s happens once if its process was killed before its client heard the answer',
  async (kind) => {
    const unheard = await killedOnce(kind, async ({ process }) => {
      const { url, answered } = await deafWay(process);
      return { url, reached: answered };
    });
    expect(await effects(unheard)).toEqual([0]);
  },
);

const PORTION = 50;
const IMPORTED = `select (each ->> 'linha')::int as linha, each ->> 'student_id' as student_id
  from events, jsonb_array_elements(data -> 'alunos') as each
  where tenant_id = $1 and type = 'StudentsImported' and data ->> 'import_id' = $2 order by 1`;
const OPENED = `select stream_id, count(*)::int as n from events
  where tenant_id = $1 and type in ('StudentRegistered', 'CreditsOpened') group by stream_id`;

it('an import that is restarted imports each line once, after its process was killed between two portions', async () => {
  const trainer = stage.trainers[0]!;
  const { tenantId } = trainer;
  const victim = await victims.shift()!;
  victims.push(startVictim());
  const import_id = randomUUID();
  const saldo = [{ quantidade: 2, expira_em: null }];
  const linhas = Array.from({ length: 2 * PORTION + 10 }, (_, n) => ({
    linha: n + 1,
    saldo,
    aluno: { nome: `Aluno ${n + 1}`, whatsapp: `+55119${10_000_000 + n}` },
  }));
  const bodies = [0, PORTION, 2 * PORTION].map((at) => ({
    import_id,
    linhas: linhas.slice(at, at + PORTION),
  }));
  const send = (body: object) => stage.history.command(trainer, 'POST', '/student-imports', body);
  const [first, second] = [send(bodies[0]!), send(bodies[1]!)];
  await stage.history.attempt(first, victim.process.url);
  expect(first.acknowledged?.body).toMatchObject({ id: import_id, importados: PORTION, repetidos: 0 });
  const held = victim.wire.hold('after', ({ sql }) => sql.includes('record_command'));
  const attempt = stage.history.attempt(second, victim.process.url);
  await held;
  await victim.process.end('SIGKILL');
  await attempt;
  expect(second.outcome).toBe('unknown');

  // The page restarts the import, with other idempotency keys.
  second.abandoned = true;
  const again = [];
  for (const body of bodies) again.push((await trainer.api.post<Imported>('/student-imports', body)).body);
  expect(again[0]).toMatchObject({ importados: 0, repetidos: PORTION });
  expect(again[2]).toMatchObject({ importados: 10, repetidos: 0 });
  const imported = await stage.database.query<{ linha: number; student_id: string }>(IMPORTED, [
    tenantId,
    import_id,
  ]);
  expect(imported.map(({ linha }) => linha)).toEqual(linhas.map(({ linha }) => linha));
  const rows = await stage.database.query<{ stream_id: string; n: number }>(OPENED, [tenantId]);
  const opened = new Map(rows.map(({ stream_id, n }) => [stream_id, n]));
  for (const { student_id } of imported)
    expect([opened.get(`student:${student_id}`), opened.get(`credit-account:${student_id}`)]).toEqual([1, 1]);
});

// The check at its end is also that of the kills before it.
it('a rolling restart under load leaves no accepted command unanswered, for clients that reuse connections', async () => {
  const { apis, workers, history } = stage;
  const next = await Promise.all([stage.start('api'), stage.start('worker')]);
  const before = history.commands.length;
  await stage.underLoad(async (load) => {
    await load.acknowledged(RESTART_COMMANDS);
    apis.push(next[0]);
    workers.push(next[1]);
    await load.acknowledged(RESTART_COMMANDS);
    const old = [apis.shift()!, workers.shift()!];
    expect(await Promise.all(old.map((each) => each.end('SIGTERM')))).toEqual([0, 0]);
    await load.acknowledged(RESTART_COMMANDS);
  });
  const attempts = history.commands.slice(before).flatMap((command) => command.attempts);
  const unanswered = attempts.filter(
    ({ status = 0, error }) => error !== 'ECONNREFUSED' && (status === 0 || status >= 500),
  );
  expect(unanswered).toEqual([]);
});

it('commands of many tenants happen once while the processes that serve them are killed', async () => {
  await stage.underLoad(async (load) => {
    for (let turn = 0; turn < rounds(1, 8); turn += 1) {
      stage.apis.push(turn === 0 ? (await victims.shift()!).process : await stage.start('api'));
      await load.acknowledged(30);
      await stage.apis.pop()!.end('SIGKILL');
      await load.acknowledged(30);
    }
  });
});
