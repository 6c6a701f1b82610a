import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { TestDatabase } from '../support/database.js';
import { anyAddress, type browser, signIn, signUp } from './people.js';

/** The code of the authenticator app, so many half minutes from now. */
export const shown = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

export async function enrol(client: ReturnType<typeof browser>, friendlyName: string = randomUUID()) {
  const { data, error } = await client.mfa.enroll({ factorType: 'totp', friendlyName });
  if (error) throw error;
  return { factorId: data.id, secret: data.totp.secret, ...data };
}

/** A person with an enrolled app, signed in with one of its codes; `used`: the time step of that code. */
export async function protectedPerson(url: string) {
  const signedUp = await signUp(url);
  const { factorId, secret } = await enrol(signedUp.client);
  const used = shown(secret);
  const { data, error } = await signedUp.client.mfa.challengeAndVerify({ factorId, code: used });
  if (error) throw error;
  return { ...signedUp, factorId, secret, used, session: data };
}

/** The same person on another device, with the password alone. */
export async function withPassword(
  url: string,
  person: { email: string; password: string },
  address = anyAddress(),
) {
  const { client, data } = await signIn(url, person, address);
  return { client, session: data.session! };
}

/** New recovery codes, as the page asks for them. */
export async function codesOf(url: string, token: string) {
  const response = await fetch(`${url}/auth/v1/recovery-codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  return {
    status: response.status,
    ...((await response.json()) as { codes: string[]; error_code?: string }),
  };
}

/** Dates all proofs of a user's sessions eleven minutes back. */
export const openScreen = (database: TestDatabase, userId: string) =>
  database.query(
    `update auth.sessions set amr = (select jsonb_agg(e || jsonb_build_object('timestamp', (e ->> 'timestamp')::bigint - 660))
     from jsonb_array_elements(amr) e) where user_id = $1`,
    [userId],
  );
