import { randomUUID } from 'node:crypto';
import { AuthClient } from '@supabase/auth-js';
import { cpf } from 'cpf-cnpj-validator';
import { anyAddress } from '../support/addresses.js';
import { nextMail } from '../support/mail.js';

export { anyAddress };

/** A person who can sign up, with an unused address and CPF. */
export function applicant(data: Record<string, unknown> = {}) {
  return {
    email: `${randomUUID()}@exemplo.com.br`,
    password: 'Lagoa-Azul-42',
    options: {
      data: {
        nome: 'Ana Souza',
        cpf: cpf.generate(),
        data_nascimento: '1990-02-28',
        telefone: '11943214321',
        ...data,
      },
    },
  };
}

/** A `fetch` that stores cookies as a browser does; `sent` are the cookies that it sends. */
function fetchWithCookies() {
  const cookies = new Map<string, string>();
  const sent = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const ask: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    if (cookies.size > 0) headers.set('cookie', sent());
    const response = await fetch(input, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(';', 1)[0]!.split('=', 2);
      cookies.set(name!, value!);
    }
    return response;
  };
  return { ask, sent };
}

/** The unmodified client in a simulated browser of its own, with the address that the proxy would report. */
export function browser(url: string, address = anyAddress(), { keepsCookies = true } = {}) {
  const { ask, sent } = keepsCookies ? fetchWithCookies() : { ask: fetch, sent: () => '' };
  const storage = new Map<string, string>();
  const client = new AuthClient({
    url: `${url}/auth/v1`,
    headers: { 'X-Forwarded-For': address },
    fetch: ask,
    flowType: 'pkce',
    autoRefreshToken: false,
    detectSessionInUrl: false,
    experimental: { passkey: true },
    storage: {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => void storage.set(key, value),
      removeItem: (key: string) => void storage.delete(key),
    },
  });
  return Object.assign(client, {
    stored: () => JSON.stringify([...storage]),
    cookies: sent,
    /** Opens the link of a mail in this browser. */
    open: (link: string) => openLink({ url }, link, ask),
  });
}

/** Opens the link in a program without cookies. */
export const program = (url: string) => browser(url, anyAddress(), { keepsCookies: false });

/** A person who has just signed up. */
export async function signUp(url: string, person = applicant(), address = anyAddress()) {
  const client = browser(url, address);
  const { data, error } = await client.signUp(person);
  if (!data.session) throw error ?? new Error('no session');
  return { person, client, session: data.session, user: data.session.user };
}

/** A person who has signed up and confirmed the address by mail. */
export async function signUpByMail(url: string, person = applicant()) {
  const client = browser(url);
  await client.signUp(person);
  const { code } = await nextMail(person.email);
  const { data } = await client.verifyOtp({ email: person.email, token: code, type: 'email' });
  return { person, client, session: data.session!, user: data.user! };
}

/** The same person on another device. */
export async function signIn(
  url: string,
  { email, password }: { email: string; password: string },
  address = anyAddress(),
) {
  const client = browser(url, address);
  return { client, ...(await client.signInWithPassword({ email, password })) };
}

/** Opens the link of a mail as a browser does. Returns the address that it redirects to, with its parameters. */
export async function openLink({ url }: { url: string }, link: string, ask = fetch) {
  const { pathname, search, searchParams } = new URL(link);
  const page = await ask(url + pathname + search, { redirect: 'manual' });
  const action = /<form method="post" action="([^"]+)"/.exec(await page.text())?.[1];
  if (page.status !== 200 || action === undefined) throw new Error(`the link answered ${page.status}`);
  return leadsTo(await ask(url + action, { method: 'POST', body: searchParams, redirect: 'manual' }));
}

/** The address that a response redirects to, with its parameters. */
export function leadsTo(response: Response) {
  const location = new URL(response.headers.get('location')!);
  return {
    status: response.status,
    to: location.origin + location.pathname,
    query: Object.fromEntries(location.searchParams),
    hash: Object.fromEntries(new URLSearchParams(location.hash.slice(1))),
  };
}

/** One request with a token and further headers. */
export async function get(url: string, token: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}`, ...headers } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
