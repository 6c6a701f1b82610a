import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import type { CreditBalance, CreditStatement } from '../../backend/modules/credits/credits.api.js';
import type { Student } from '../../backend/modules/students/students.api.js';
import { atEnd } from '../support/cleanup.js';
import { Client } from '../support/client.js';
import { describeWithFaketime } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { rounds } from '../support/rounds.js';
import { type OwnClock, ownClock } from './harness/own-clock.js';
import { openStage, type Stage } from './harness/stage.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let stage: Stage;
let clocks: Record<'first' | 'second' | 'worker' | 'postgres', OwnClock>;

/** Sets clocks ahead by a number of seconds; all others show the machine's time. */
async function setClocks(ahead: Partial<Record<keyof typeof clocks, number>> = {}): Promise<void> {
  for (const [name, clock] of Object.entries(clocks))
    await clock.set(ahead[name as keyof typeof clocks] ?? 0);
}

/** A client of this trainer at one of the two API processes. */
function at(which: 'first' | 'second', trainer: Trainer): Client {
  const { accessToken, address } = trainer;
  const { url } = stage.apis[which === 'first' ? 0 : 1]!;
  return new Client(url, { accessToken, address, positions: trainer.positions });
}

describeWithFaketime('clocks that go wrong', () => {
  beforeAll(async () => {
    const [first, second, worker, postgres] = await Promise.all([
      ownClock(),
      ownClock(),
      ownClock(),
      ownClock(),
    ]);
    clocks = { first, second, worker, postgres };
    stage = await openStage({ apis: 0, workers: 0, trainers: 0, postgres: { env: postgres.env } });
    stage.apis.push(
      await stage.start('api', { env: first.env }),
      await stage.start('api', { env: second.env }),
    );
    stage.workers.push(await stage.start('worker', { env: worker.env }));
    // End them with SIGTERM, because a killed process would leave shared memory of the test clock behind.
    for (const each of [...stage.apis, ...stage.workers]) atEnd(() => each.end('SIGTERM'));
    for (let n = 0; n < 6; n += 1) stage.trainers.push(await signUp(stage.apis[n % 2]!));
  });

  it('and jump during commands cause no lost, double or reordered effects', async () => {
    await stage.underLoad(async (load) => {
      for (const ahead of [
        { first: 45 * MINUTE, second: -45 * MINUTE },
        { postgres: 25 * HOUR },
        { postgres: -2 * HOUR, worker: DAY },
        { first: -45 * MINUTE, worker: -DAY },
        {},
      ]) {
        await setClocks(ahead);
        await load.acknowledged(rounds(15, 40));
      }
    });
    const [disorder] = await stage.database.query<{ backwards: number }>(
      `select count(*)::int as backwards from events e join events f using (tenant_id)
       where f.position = e.position + 1 and f.recorded_at < e.recorded_at`,
    );
    expect(disorder!.backwards).toBeGreaterThan(0);
  });

  it('and are a day ahead keep the stored answers of commands', async () => {
    await setClocks({ postgres: DAY });
    await stage.check();
    await setClocks();
  });

  it('count a credit at once and show no balance below zero, whichever process granted it', async () => {
    const trainer = await signUp(stage.apis[0]!);
    await setClocks({ first: 45 * MINUTE, second: -45 * MINUTE });
    const [ahead, behind] = [at('first', trainer), at('second', trainer)];
    const student = (await ahead.post('/students', { nome: 'Ana', telefone: '11943214321' })).body.id;
    const path = `/students/${student}/credits`;
    const saldo = async (client: Client, what: string, body: object) =>
      (await client.post<CreditBalance>(`${path}/${what}`, { ...body, motivo: 'Acerto' })).body.saldo;
    const shown = async (client: Client) => {
      const { saldo, extrato } = (await client.get<CreditStatement>(path)).body;
      return [saldo, ...extrato.items.map((line) => line.saldo)];
    };
    expect(await saldo(ahead, 'adjust', { quantidade: 5 })).toBe(5);
    expect(await shown(behind)).toEqual([5, 5]);
    expect(await saldo(behind, 'consume', {})).toBe(4);
    expect(await shown(ahead)).toEqual([4, 4, 5]);
    await setClocks();
    expect(await shown(ahead)).toEqual([4, 4, 5]);
    expect((await behind.get<Student>(`/students/${student}`)).body.creditos).toBe(4);
  });

  interface Tokens {
    access_token: string;
    refresh_token: string;
  }
  const ask = (url: string, path: string, body: object) =>
    new Client(url).request<Tokens & { error_code?: string }>('POST', path, { body });
  const refresh = (which: 0 | 1, refresh_token: string) =>
    ask(stage.apis[which]!.url, '/auth/v1/token?grant_type=refresh_token', { refresh_token });
  const me = (which: 0 | 1, accessToken: string) =>
    new Client(stage.apis[which]!.url).request('GET', '/api/v1/me', {
      headers: { Authorization: `Bearer ${accessToken}` },
    });

  it('refuse tokens that have expired by their time, and all of them accept a refreshed one', async () => {
    const trainer = await signUp(stage.apis[0]!);
    await setClocks({ first: 2 * HOUR });
    expect((await me(0, trainer.accessToken)).status).toBe(401);
    expect((await me(1, trainer.accessToken)).status).toBe(200);
    const { access_token, refresh_token } = (await refresh(0, trainer.refreshToken)).body;
    expect((await me(0, access_token)).status).toBe(200);
    expect((await me(1, access_token)).status).toBe(200);
    await setClocks();
    expect((await me(0, access_token)).status).toBe(200);
    await setClocks({ first: -2 * HOUR });
    const late = (await refresh(0, refresh_token)).body;
    expect((await me(1, late.access_token)).status).toBe(401);
    expect((await me(1, (await refresh(1, late.refresh_token)).body.access_token)).status).toBe(200);
    await setClocks();
  });

  it('and are a month ahead end auth sessions, which are valid again afterwards', async () => {
    const { accessToken } = await signUp(stage.apis[0]!);
    await setClocks({ postgres: 31 * DAY });
    expect((await me(0, accessToken)).status).toBe(401);
    await setClocks();
    expect((await me(0, accessToken)).status).toBe(200);
  });

  it('and are set back accept no old refresh token', async () => {
    const { accessToken, refreshToken } = await signUp(stage.apis[0]!);
    let newest = refreshToken;
    for (let n = 0; n < 3; n += 1) newest = (await refresh(0, newest)).body.refresh_token;
    await setClocks({ postgres: -HOUR });
    const replayed = await refresh(0, refreshToken);
    expect(replayed).toMatchObject({ status: 400, body: { error_code: 'refresh_token_already_used' } });
    expect((await me(0, accessToken)).status).toBe(401);
    await setClocks();
  });

  it('and were a day ahead do not block sign-in for a day', async () => {
    const email = `${randomUUID()}@example.com`;
    const guess = () =>
      ask(stage.apis[0]!.url, '/auth/v1/token?grant_type=password', { email, password: 'wrong-one' });
    const guessed = async (times: number) => {
      let last = await guess();
      for (let n = 1; n < times; n += 1) last = await guess();
      return last;
    };
    await setClocks({ first: DAY });
    expect(await guessed(21)).toMatchObject({ status: 429 });
    await setClocks();
    expect(await guess()).toMatchObject({ status: 400, body: { error_code: 'invalid_credentials' } });
    const refused = await guessed(20);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(600);
  });
});
