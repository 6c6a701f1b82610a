import { generateKeyPairSync } from 'node:crypto';
import { expect } from '@jest/globals';
import { jwtVerify } from 'jose';
import { startApp } from '../support/app.js';
import { createDatabase } from '../support/database.js';
import { CLIENT_SECRET, startProvider, type TestProvider } from '../support/openid.js';
import { type browser, leadsTo, signUp } from './people.js';

export const SITE = 'https://rende.example';

type Client = ReturnType<typeof browser>;
export type ProviderName = 'google' | 'apple';

/** The application with simulated Google and Apple servers; `env` adds variables. */
export async function startWithProviders(env: Record<string, string> = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const callback = `${SITE}/auth/v1/callback`;
  const [database, google, apple] = await Promise.all([
    createDatabase(),
    startProvider(callback),
    startProvider(callback),
  ]);
  apple.checkSecret = async (secret) => {
    const { payload, protectedHeader } = await jwtVerify(secret, publicKey, {
      issuer: 'EQUIPE1234',
      subject: 'rende',
      audience: apple.issuer,
    });
    return protectedHeader.kid === 'CHAVE12345' && payload.exp! - payload.iat! <= 300;
  };
  const settings = {
    database,
    env: {
      SITE_URL: SITE,
      GOOGLE_CLIENT_ID: 'rende',
      GOOGLE_CLIENT_SECRET: CLIENT_SECRET,
      GOOGLE_ISSUER: google.issuer,
      APPLE_CLIENT_ID: 'rende',
      APPLE_TEAM_ID: 'EQUIPE1234',
      APPLE_KEY_ID: 'CHAVE12345',
      APPLE_PRIVATE_KEY: (privateKey.export({ format: 'pem', type: 'pkcs8' }) as string).replaceAll(
        '\n',
        '\\n',
      ),
      APPLE_ISSUER: apple.issuer,
      ...env,
    },
  };
  const app = await startApp(settings);

  return {
    app,
    database,
    /** Another process of the same application, with nothing cached from the providers. */
    another: () => startApp(settings),
    google,
    apple,

    /** The address that auth-js opens, and the one that the server redirects to. */
    begin: async (client: Client, provider: ProviderName, redirectTo = `${SITE}/`): Promise<string> => {
      const { data } = await client.signInWithOAuth({
        provider,
        options: { redirectTo, skipBrowserRedirect: true },
      });
      const response = await fetch(data.url!, { redirect: 'manual' });
      expect(response.status).toBe(302);
      return response.headers.get('location')!;
    },

    /** Signs in at the provider and returns to the page. `extra`: fields that the provider adds. */
    comeBack: async (provider: TestProvider, address: string, extra: Record<string, string> = {}) => {
      const back = await provider.visit(address);
      if ('url' in back)
        return leadsTo(await fetch(app.url + back.url.pathname + back.url.search, { redirect: 'manual' }));
      const response = await fetch(`${app.url}/auth/v1/callback`, {
        method: 'POST',
        body: new URLSearchParams({ ...back.form, ...extra }),
        redirect: 'manual',
      });
      return leadsTo(response);
    },

    /** A person with a confirmed address. */
    proven: async () => {
      const person = await signUp(app.url);
      await database.query('update auth.users set email_proven = true where id = $1', [person.user.id]);
      return person;
    },

    count: async (table: string) => (await database.query(`select from ${table}`)).length,
  };
}
