import { randomUUID } from 'node:crypto';
import { AuthClient } from '@supabase/auth-js';
import { cpf } from 'cpf-cnpj-validator';

/** A person who could sign up: nobody else has the address or the CPF. */
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

/** The unmodified client, as a browser of its own would have it. */
export function browser(url: string) {
  const storage = new Map<string, string>();
  const client = new AuthClient({
    url: `${url}/auth/v1`,
    flowType: 'pkce',
    autoRefreshToken: false,
    detectSessionInUrl: false,
    storage: {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => void storage.set(key, value),
      removeItem: (key: string) => void storage.delete(key),
    },
  });
  return Object.assign(client, { stored: () => JSON.stringify([...storage]) });
}

/** Somebody who has just signed up. */
export async function signUp(url: string, person = applicant()) {
  const client = browser(url);
  const { data, error } = await client.signUp(person);
  if (!data.session) throw error ?? new Error('no session');
  return { person, client, session: data.session, user: data.session.user };
}

/** The same person on another device. */
export async function signIn(url: string, { email, password }: { email: string; password: string }) {
  const client = browser(url);
  return { client, ...(await client.signInWithPassword({ email, password })) };
}

/** One request with a token, and with whatever headers else. */
export async function get(url: string, token: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}`, ...headers } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
