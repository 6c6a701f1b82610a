import { beforeAll, expect, it } from 'vitest';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { SigningKeys } from '../../backend/modules/accounts/sessions/signing-keys.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { runCli } from '../support/cli.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { get, signUp } from './people.js';

let database: TestDatabase;
let apps: TestApp[];
beforeAll(async () => {
  database = await testDatabase();
  apps = await Promise.all([1, 2].map(() => startApp()));
});

const passes = (token: string) =>
  Promise.all(apps.map(async ({ url }) => (await get(`${url}/api/v1/me`, token)).status));

const published = async () => {
  const response = await fetch(`${apps[1]!.url}/auth/v1/.well-known/jwks.json`);
  return ((await response.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
};

/** So much later, every process looks again, as it does once a minute. */
async function later(by: string): Promise<void> {
  await database.query('update auth.signing_keys set active_from = active_from - $1::interval', [by]);
  for (const { nest } of apps) await nest.get(SigningKeys).reload();
}

it('a new key is published before it signs, and the old one counts until its last token is over', async () => {
  const old = (await signUp(apps[0]!.url)).session.access_token;
  const oldKid = decodeProtectedHeader(old).kid!;

  const { code, output } = await runCli(database, ['keys:rotate']);

  expect(code).toBe(0);
  const kid = /^Chave (\S+): assina a partir de \S+Z\.$/m.exec(output)![1]!;
  await later('0');
  expect(await published()).toEqual([kid, oldKid]);
  const { session, client } = await signUp(apps[0]!.url);
  expect(decodeProtectedHeader(session.access_token).kid).toBe(oldKid);

  await later('16 minutes');
  const fresh = (await client.refreshSession()).data.session!.access_token;
  expect(decodeProtectedHeader(fresh).kid).toBe(kid);
  for (const token of [old, fresh]) {
    expect(await passes(token)).toEqual([200, 200]);
    const keys = createRemoteJWKSet(new URL(`${apps[1]!.url}/auth/v1/.well-known/jwks.json`));
    expect((await jwtVerify(token, keys, { issuer: 'rende' })).payload.sub).toEqual(expect.any(String));
  }

  await later('65 minutes');
  expect(await published()).toEqual([kid]);
  // A token that no process has seen before: what was verified once is remembered until it expires.
  expect(await passes(session.access_token)).toEqual([401, 401]);
  expect(await passes(fresh)).toEqual([200, 200]);
  expect((await client.refreshSession()).error).toBeNull();
});

it('a key that leaked is revoked: what it signed is refused at once by every process, and sessions go on', async () => {
  const people = await Promise.all(apps.map(({ url }) => signUp(url)));
  const [ours] = people.map(({ session }) => session.access_token);
  const leaked = decodeProtectedHeader(ours!).kid!;
  expect(await passes(ours!)).toEqual([200, 200]);
  for (const words of [['--revoke'], ['--revoke', 'nenhuma'], ['revoke', leaked]]) {
    expect((await runCli(database, ['keys:rotate', ...words])).code).toBe(1);
  }
  expect(await passes(ours!)).toEqual([200, 200]);

  const { code, output } = await runCli(database, ['keys:rotate', '--revoke', leaked]);

  expect(code).toBe(0);
  expect(output).toContain(`Chave ${leaked}: revogada.`);
  const kid = /Chave (\S+): assina a partir de agora\./.exec(output)![1]!;
  expect(await passes(ours!)).toEqual([401, 401]);
  const user = await get(`${apps[0]!.url}/auth/v1/user`, ours!, { 'x-supabase-api-version': '2024-01-01' });
  expect(user).toMatchObject({ status: 403, body: { code: 'bad_jwt' } });
  for (const { client } of people) {
    const { data, error } = await client.refreshSession();
    expect(error).toBeNull();
    expect(decodeProtectedHeader(data.session!.access_token).kid).toBe(kid);
    expect(await passes(data.session!.access_token)).toEqual([200, 200]);
  }
  expect(await published()).toEqual([kid]);
});

it('an older key is revoked without another one: the one that signs goes on', async () => {
  const { output } = await runCli(database, ['keys:rotate']);
  const kid = /^Chave (\S+): assina/m.exec(output)![1]!;
  const old = decodeProtectedHeader((await signUp(apps[0]!.url)).session.access_token).kid!;
  await later('16 minutes');

  expect((await runCli(database, ['keys:rotate', '--revoke', old])).output).toContain(
    `Chave ${old}: revogada.\n`,
  );

  const { session } = await signUp(apps[1]!.url);
  expect(decodeProtectedHeader(session.access_token).kid).toBe(kid);
  await later('0');
  expect(await published()).toEqual([kid]);
});

it('keeps the private halves sealed, and sweeps away what signs nothing any more', async () => {
  await runCli(database, ['keys:rotate']);
  const rows = await database.query<{ row: string }>('select k::text as row from auth.signing_keys k');
  // How every private key of its kind begins (PKCS #8, P-256).
  for (const { row } of rows) expect(row).not.toContain('308187020100301306072a8648ce3d0201');
  expect(rows).toHaveLength(2);
  await later('3 hours');

  await startApp();

  await eventually(async () => (await database.query('select from auth.signing_keys')).length, 1);
});
