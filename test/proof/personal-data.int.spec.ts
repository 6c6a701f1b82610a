import { createHash } from 'node:crypto';
import { cpf } from 'cpf-cnpj-validator';
import { expect, it } from '@jest/globals';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { otlp } from '../support/otlp.js';
import { signUp } from '../support/people.js';
import { startProcess } from '../support/process.js';
import { liveADay, said } from './day.js';
import { caughtUp } from './read-tables.js';

it('no name, phone, e-mail or CPF is readable in events, jobs, stored answers, logs or traces', async () => {
  const database = await testDatabase();
  const traces = await otlp();
  const app = await startProcess({ env: { LOG_LEVEL: 'trace', ...traces.env } });
  const trainer = {
    nome: 'Quitéria Albuquerque',
    cpf: cpf.generate(),
    telefone: '(21) 97766-5544',
    email: 'quiteria.albuquerque@example.org',
  };
  const { api, accessToken, refreshToken } = await signUp(app, trainer);
  const day = await liveADay(api);
  await api.request('GET', '/api/v1/students', { query: { q: said.nome } });
  await api.request('POST', '/api/v1/students', { body: { nome: said.nome, telefone: 'x' } });
  await api.request('POST', '/auth/v1/token?grant_type=password', {
    body: { email: trainer.email, password: 'não é esta' },
  });
  await api.request('GET', `/api/v1/students/${day.studentId}`);
  const ticket = 'bilhete-que-so-o-navegador-conhece-e-mais-11';
  for (const path of [
    `/auth/v1/verify?token=${ticket}&type=recovery`,
    `/auth/v1/callback?state=${ticket}&code=${ticket}`,
    `/api/v1/invites/${ticket}`,
    `/convite/${ticket}`,
  ])
    await api.request('GET', path);
  await api.request('POST', '/auth/v1/verify', { body: { token_hash: ticket, type: 'recovery' } });
  const refresh = (refresh_token: string) =>
    api.request<{ refresh_token: string }>('POST', '/auth/v1/token?grant_type=refresh_token', {
      body: { refresh_token },
    });
  const { refresh_token: newest } = (await refresh((await refresh(refreshToken)).body.refresh_token)).body;
  await database.query("update auth.sessions set refreshed_at = refreshed_at - interval '11 seconds'");
  await refresh(refreshToken);
  await eventually(() => Promise.resolve(app.output().includes('refresh_token_replayed')), true);
  await caughtUp(database);
  await app.end('SIGTERM');

  const stored = await database.query<{ text: string }>(
    `select data::text || meta::text || stream_id as text from events
     union all select answer::text || scope || key from idempotency_keys
     union all select coalesce(parked_error, '') from projection_checkpoint
     union all select to_jsonb(t)::text from bullmq.job t`,
  );
  const places = {
    database: stored.map(({ text }) => text).join('\n'),
    log: app.output(),
    traces: traces.asked.map(({ body }) => body).join('\n'),
  };
  for (const place of [places.log, places.traces]) expect(place).toContain('/api/v1/students');
  const secrets = [
    'Zuleika',
    'Quintanilha',
    'Quitéria',
    'Albuquerque',
    said.digits,
    said.telefone,
    '21977665544',
    trainer.cpf,
    cpf.format(trainer.cpf),
    accessToken,
    refreshToken,
    newest,
    ticket,
    'não é esta',
  ];
  for (const [place, text] of Object.entries(places)) {
    const found = secrets.filter((secret) => text.toLowerCase().includes(secret.toLowerCase()));
    expect({ place, found }).toEqual({ place, found: [] });
  }
  // A digest without a key could be reversed by trying all phones and CPFs, so none may be stored.
  const digests = [trainer.cpf, said.digits, `+55${said.digits}`].map((text) =>
    createHash('sha256').update(text).digest('hex'),
  );
  for (const digest of digests) expect(places.database).not.toContain(digest);
});
