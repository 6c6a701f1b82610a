import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  calculateJwkThumbprint,
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  jwtVerify,
  SignJWT,
} from 'jose';
import type { Socket } from 'socket.io-client';
import { SigningKeys } from '../../backend/modules/accounts/sessions/signing-keys.service.js';
import { Purges } from '../../backend/platform/jobs/purges.js';
import { startApp, type TestApp } from '../support/app.js';
import { runCli } from '../support/cli.js';
import { connect, createDatabase, testDatabase } from '../support/database.js';
import { connectSocket } from '../support/socket.js';
import { get, signIn, signUp } from './people.js';

const database = await testDatabase();
const apps = await Promise.all([1, 2].map(() => startApp()));

const passes = (token: string) =>
  Promise.all(apps.map(async ({ url }) => (await get(`${url}/api/v1/me`, token)).status));

const published = async () => {
  const response = await fetch(`${apps[1]!.url}/auth/v1/.well-known/jwks.json`);
  return ((await response.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
};

/** After this time every process has reloaded the keys, as it does once a minute. */
async function later(by: string): Promise<void> {
  await database.query('update auth.signing_keys set active_from = active_from - $1::interval', [by]);
  for (const { nest } of apps) await nest.get(SigningKeys).reload();
}

it("processes that start at once create one key, and accept each other's tokens", async () => {
  const { session } = await signUp(apps[0]!.url);
  expect(await database.query('select from auth.signing_keys')).toHaveLength(1);
  expect(await passes(session.access_token)).toEqual([200, 200]);
});

it('ending a session closes its sockets in every process', async () => {
  const [one, two] = apps as [TestApp, TestApp];
  const { person, client, session } = await signUp(one.url);
  const { data } = await signIn(one.url, person);
  const own = { accessToken: session.access_token };
  const [here, there, other] = await Promise.all([
    connectSocket(one, own),
    connectSocket(two, own),
    connectSocket(two, { accessToken: data.session!.access_token }),
  ]);
  const closed = (socket: Socket) => new Promise((resolve) => socket.once('disconnect', resolve));
  const ended = Promise.all([closed(here), closed(there)]);

  await client.signOut({ scope: 'local' });

  expect(await ended).toEqual(['io server disconnect', 'io server disconnect']);
  expect(other.connected).toBe(true);
  await expect(connectSocket(one, own)).rejects.toThrow('unauthenticated');
});

it('a new key is published before it signs, and the old one is valid until its last token expires', async () => {
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
  // A token that no process has seen before, because verified tokens are cached until they expire.
  expect(await passes(session.access_token)).toEqual([401, 401]);
  expect(await passes(fresh)).toEqual([200, 200]);
  expect((await client.refreshSession()).error).toBeNull();
});

it('tokens of a revoked key are refused at once by every process, and sessions continue', async () => {
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

it('revoking an older key does not affect the current one', async () => {
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

it('encrypts private keys, and purges keys that are no longer used', async () => {
  await runCli(database, ['keys:rotate']);
  const rows = await database.query<{ row: string }>('select k::text as row from auth.signing_keys k');
  // The first bytes of every private key of this kind (PKCS #8, P-256).
  for (const { row } of rows) expect(row).not.toContain('308187020100301306072a8648ce3d0201');
  expect(rows).toHaveLength(2);
  await later('3 hours');

  await apps[0]!.nest.get(Purges).run();

  expect(await database.query('select from auth.signing_keys')).toHaveLength(1);
});

describe("an attacker with the application's role", () => {
  const asApplication = () => connect(database.environment.DATABASE_URL);
  const keys = () => database.query('select * from auth.signing_keys order by kid');
  const strange = async () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const public_jwk = pair.publicKey.export({ format: 'jwk' });
    const kid = await calculateJwkThumbprint(public_jwk);
    const sign = (token: string) =>
      new SignJWT(decodeJwt(token))
        .setProtectedHeader({ alg: 'ES256', kid: decodeProtectedHeader(token).kid! })
        .sign(pair.privateKey);
    return { kid, public_jwk, sign };
  };

  it('cannot insert, update or delete signing keys', async () => {
    const { kid, public_jwk } = await strange();
    const before = await keys();
    const client = await asApplication();

    for (const [text, values] of [
      ["insert into auth.signing_keys (kid, public_jwk, private_key) values ($1, $2, '')", [kid, public_jwk]],
      ['update auth.signing_keys set public_jwk = $1', [public_jwk]],
      ['delete from auth.signing_keys', []],
      ['truncate auth.signing_keys', []],
    ] as const) {
      await expect(client.query(text, [...values])).rejects.toMatchObject({ code: '42501' });
    }
    await client.query("select auth.add_first_signing_key($1, $2, '')", [kid, public_jwk]);

    expect(before.length).toBeGreaterThan(0);
    expect(await keys()).toEqual(before);
  });

  it('cannot make tokens with a key of its own valid, not even before the first key exists', async () => {
    const empty = await createDatabase();
    const { kid, public_jwk } = await strange();
    const client = await connect(empty.environment.DATABASE_URL);
    await client.query("select auth.add_first_signing_key($1, $2, '\\x00112233')", [kid, public_jwk]);

    await expect(startApp({ database: empty })).rejects.toThrow();
  });

  it('cannot forge tokens even by replacing the public half of an encrypted key', async () => {
    const { public_jwk, sign } = await strange();
    const { session } = await signUp(apps[0]!.url);
    const kid = decodeProtectedHeader(session.access_token).kid!;
    await database.query('update auth.signing_keys set public_jwk = $1 where kid = $2', [public_jwk, kid]);
    await later('0');

    expect(await passes(await sign(session.access_token))).toEqual([401, 401]);
    expect(await passes(session.access_token)).toEqual([200, 200]);
  });
});
