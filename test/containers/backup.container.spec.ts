import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { composeImage, oldestPostgres } from '../../infra/docker/images.mjs';
import { atEnd } from '../support/cleanup.js';
import { runCli } from '../support/cli.js';
import { Client } from '../support/client.js';
import { signUp, type Trainer } from '../support/people.js';
import { startPostgresContainer } from '../support/postgres-container.mjs';
import { startProcess } from '../support/process.js';

async function postgres(image: string) {
  const { environment, stop } = await startPostgresContainer(image, 'rende');
  atEnd(stop);
  return { environment };
}

async function signIn(url: string, { email, password, ...trainer }: Trainer): Promise<Client> {
  const { body } = await new Client(url).request<{ access_token: string }>(
    'POST',
    '/auth/v1/token?grant_type=password',
    { body: { email, password } },
  );
  return new Client(url, { ...trainer, accessToken: body.access_token, positions: new Map() });
}

it('a backup of the oldest Postgres is restored into the newest, and back', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-backup-'));
  atEnd(() => rm(folder, { recursive: true }));
  const list = path.join(folder, 'forgotten');
  await writeFile(list, '');
  const others = [await composeImage('postgres'), oldestPostgres];
  let database = await postgres(oldestPostgres);
  let running = await startProcess({ database });
  const trainer = await signUp(running);
  const names = ['Ágata', 'ana', 'Bia Lima', 'Zoé'];
  for (const nome of names) await trainer.api.post('/students', { nome, telefone: '11943214321' });

  for (const [n, image] of others.entries()) {
    const file = path.join(folder, `${n}.backup`);
    expect(await runCli(database, ['backup', file])).toMatchObject({ code: 0 });
    await running.end('SIGTERM');
    database = await postgres(image);
    expect(await runCli(database, ['restore', file], { FORGOTTEN_FILE: list })).toMatchObject({
      code: 0,
      output: expect.stringContaining('1 tenant íntegro.\n'),
    });
    running = await startProcess({ database });
    const api = await signIn(running.url, trainer);
    const { body } = await api.get<{ items: { nome: string }[] }>('/students');
    expect(body.items.map(({ nome }) => nome).sort()).toEqual([...names].sort());
    await api.post('/students', { nome: 'Caio', telefone: '11943214321' });
    names.push('Caio');
  }
}, 300_000);
