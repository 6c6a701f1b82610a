import { randomUUID } from 'node:crypto';
import type { NewInvite } from '../../backend/modules/accounts/invites.api.js';
import type { ExportState } from '../../backend/modules/accounts/own-data/own-data.api.js';
import { Client } from '../support/client.js';
import { connect, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import type { Trainer } from '../support/people.js';
import { unzip } from '../support/zip.js';
import { anyAddress, browser } from './people.js';

export const speaker = (app: { url: string }, accessToken: string) =>
  new Client(app.url, { accessToken, address: anyAddress(), positions: new Map() });

/** The account of a student whom the trainer has invited. */
export async function studentAccount(
  app: { url: string },
  { api }: Pick<Trainer, 'api'>,
  studentId: string,
  nome = 'Wandréia Xistovski',
  telefone?: string,
) {
  const { body } = await api.post<NewInvite>(`/students/${studentId}/invites`);
  await api.get(`/students/${studentId}/access`);
  return accountBy(app, body, nome, telefone);
}

/** The account that an invite is accepted with. */
export async function accountBy(
  app: { url: string },
  { inviteUrl }: NewInvite,
  nome: string,
  telefone?: string,
) {
  const person = {
    email: `${randomUUID()}@exemplo.com.br`,
    password: 'Lagoa-Azul-42',
    options: { data: { convite: inviteUrl.split('/').at(-1)!, nome, ...(telefone && { telefone }) } },
  };
  const client = browser(app.url);
  const { data, error } = await client.signUp(person);
  if (!data.session) throw error ?? new Error('no session');
  const { access_token: accessToken, user } = data.session;
  const { password } = person;
  return { person, password, client, userId: user.id, accessToken, api: speaker(app, accessToken) };
}

const standing = async (api: Client) => (await api.get<ExportState>('/account/exports')).body.exportacao;

/** Requests an export and waits until it is ready. Returns its id. */
export async function exportOf({ api, password: senha }: Owner): Promise<string> {
  const { id } = (await api.post('/account/exports', { senha })).body;
  await eventually(async () => (await standing(api))?.situacao, 'pronta');
  return id;
}

/** Keeps requested exports unfinished until the returned function is called. */
export async function holdCopies({ adminUrl }: TestDatabase): Promise<() => Promise<unknown>> {
  const holder = await connect(adminUrl);
  await holder.query('begin');
  await holder.query('lock table auth.account_export_parts in share mode');
  return () => holder.query('rollback');
}

/** The owner of an export: their client, and their password. */
export interface Owner {
  api: Client;
  accessToken: string;
  password: string;
}

/** The downloaded file. */
export async function download({ url }: { url: string }, token: string, id: string) {
  const response = await fetch(`${url}/api/v1/account/exports/${id}/file`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

/** Files of a new export, by name. */
export async function copyOf(app: { url: string }, owner: Owner): Promise<Map<string, string>> {
  const { bytes } = await download(app, owner.accessToken, await exportOf(owner));
  return unzip(bytes);
}
