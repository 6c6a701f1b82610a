import { createHash, generateKeyPair as generate, type JsonWebKey, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { type JWTHeaderParameters, SignJWT } from 'jose';
import Provider, { type KoaContextWithOIDC } from 'oidc-provider';
import { atEnd } from './cleanup.js';

/** The person who signs in at the provider. */
export interface ProviderPerson {
  sub: string;
  email?: string;
  email_verified?: boolean | string;
  name?: string;
}

export interface TestProvider {
  issuer: string;
  person: ProviderPerson;
  /** Checks the secret of a token request, instead of comparing it with the registered one. */
  checkSecret?: (secret: string) => Promise<boolean>;
  /** Follows redirects like a browser, signs in as `person`, and returns the result: an address, or a form's fields. */
  visit(address: string): Promise<{ url: URL } | { form: Record<string, string> }>;
  /** An ID token for `person`, as a page of the client would get it. */
  idToken(nonce?: string): Promise<string>;
  /** An ID token for `person` with changed `claims`, signed with the provider's key or another one. */
  signed(
    claims?: Record<string, unknown>,
    by?: { key?: KeyObject | Uint8Array; header?: Partial<JWTHeaderParameters> },
  ): Promise<string>;
  /** Makes the provider publish this key instead of its own. */
  publish(kid: string, publicKey: KeyObject): void;
}

/** Asynchronous: see signing-key.ts. */
export const generateKeyPair = promisify(generate);

const CLIENT_ID = 'rende';
export const CLIENT_SECRET = 'segredo-do-cliente-com-mais-de-32-letras';

/** A real OpenID Connect provider on loopback, with one client, where the person signs in without interaction. */
export async function startProvider(callback: string): Promise<TestProvider> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('rsa', { modulusLength: 2048 });
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [callback],
        token_endpoint_auth_method: 'client_secret_post',
        response_types: ['code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: issuer }] },
    ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, IdToken: 60 },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    cookies: { keys: ['only for tests'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ ...self.person, sub }),
    }),
    interactions: { url: (_context: KoaContextWithOIDC, { uid }: { uid: string }) => `/signing-in/${uid}` },
    loadExistingGrant: async ({ oidc }: KoaContextWithOIDC) => {
      const grant = new provider.Grant({ clientId: CLIENT_ID, accountId: oidc.session!.accountId! });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  let published: { keys: JsonWebKey[] } | undefined;
  const self: TestProvider = {
    issuer,
    person: { sub: 'nobody' },
    visit: (address) => visit(address, callback),
    idToken: async (nonce) => {
      const url = new URL(`${issuer}/auth`);
      const verifier = 'v'.repeat(43);
      const parameters = {
        client_id: CLIENT_ID,
        redirect_uri: callback,
        response_type: 'code',
        scope: 'openid email',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...(nonce && { nonce }),
      };
      url.search = new URLSearchParams(parameters).toString();
      const back = await visit(url.href, callback);
      const code = 'url' in back ? back.url.searchParams.get('code')! : '';
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uri: callback,
          code_verifier: verifier,
          code,
        }),
      });
      return ((await response.json()) as { id_token: string }).id_token;
    },
    signed: (claims, { key = privateKey, header } = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const said = { iss: issuer, aud: CLIENT_ID, iat: now, exp: now + 60, ...self.person, ...claims };
      return new SignJWT(said).setProtectedHeader({ alg: 'RS256', kid: issuer, ...header }).sign(key);
    },
    publish: (kid, publicKey) => {
      published = { keys: [{ ...publicKey.export({ format: 'jwk' }), use: 'sig', kid }] };
    },
  };
  server.on('request', (request, response) => {
    void (async () => {
      if (request.url === '/jwks' && published) {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(published));
        return;
      }
      if (request.url!.startsWith('/signing-in/')) {
        await provider.interactionFinished(request, response, { login: { accountId: self.person.sub } });
        return;
      }
      if (request.url === '/token' && self.checkSecret) {
        const body = new URLSearchParams(await textOf(request));
        const secret = body.get('client_secret')!;
        if (secret !== CLIENT_SECRET)
          body.set('client_secret', (await self.checkSecret(secret)) ? CLIENT_SECRET : 'wrong');
        Object.assign(request, { body: Object.fromEntries(body) });
      }
      await handle(request, response);
    })().catch((error: Error) => response.writeHead(500).end(error.message));
  });
  return self;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part as string;
  return text;
}

/** Follows redirects with cookies, until one leads back to the client. */
async function visit(
  address: string,
  callback: string,
): Promise<{ url: URL } | { form: Record<string, string> }> {
  const cookies = new Map<string, string>();
  let url = new URL(address);
  for (let step = 0; step < 10; step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const each of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(each)!;
      cookies.set(name!, value!);
    }
    const location = response.headers.get('location');
    if (location === null) {
      const page = await response.text();
      const fields = [...page.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)];
      if (!page.includes(`action="${callback}"`))
        throw new Error(`the provider says ${response.status} ${page}`);
      return { form: Object.fromEntries(fields.map(([, name, value]) => [name!, value!])) };
    }
    url = new URL(location, url);
    if (url.href.startsWith(callback)) return { url };
  }
  throw new Error('the provider sends around in a circle');
}
