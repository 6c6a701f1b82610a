import { randomInt, randomUUID } from 'node:crypto';
import { cpf } from 'cpf-cnpj-validator';
import type { Me, SignUpData } from '../../backend/modules/accounts/accounts.api.js';
import { anyAddress } from './addresses.js';
import { type Caller, Client } from './client.js';

/** A signed-up trainer, with her client. */
export interface Trainer extends Caller {
  email: string;
  password: string;
  refreshToken: string;
  userId: string;
  tenantId: string;
  api: Client;
}

interface Session {
  access_token: string;
  refresh_token: string;
  user: { id: string };
}

export interface SignUpDetails extends Partial<SignUpData> {
  email?: string;
  password?: string;
}

/** Signs up a trainer, from an IP address of her own. */
export async function signUp({ url }: { url: string }, details: SignUpDetails = {}): Promise<Trainer> {
  const { email = `${randomUUID()}@example.com`, password = randomUUID(), ...given } = details;
  const data = {
    nome: 'Ana Personal',
    cpf: cpf.generate(),
    data_nascimento: '1990-05-17',
    telefone: `(11) 9${randomInt(10_000_000, 99_999_999)}`,
    ...given,
  };
  const address = anyAddress();
  const signedUp = await new Client(url).request<Session>('POST', '/auth/v1/signup', {
    body: { email, password, data },
    headers: { 'X-Forwarded-For': address },
  });
  if (signedUp.status !== 200) {
    throw new Error(`sign-up answered ${signedUp.status}: ${JSON.stringify(signedUp.body)}`);
  }
  const { access_token, refresh_token, user } = signedUp.body;
  const caller = { accessToken: access_token, address, positions: new Map<string, number>() };
  const me = await new Client(url, caller).get<Me>('/me');
  const trainer = {
    ...caller,
    email,
    password,
    refreshToken: refresh_token,
    userId: user.id,
    tenantId: me.body.membership!.tenant_id,
  };
  return { ...trainer, api: new Client(url, trainer) };
}
