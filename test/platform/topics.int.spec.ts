import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { ChargeDetail } from '../../backend/modules/charges/charges.api.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { signUp } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { connectSocket } from '../support/socket.js';

const app = await sharedApp();
const trainer = await signUp(app);
const plan = { nome: 'Pacote 10', valor: 60_000, creditos: 10 };
const plano_id = (await trainer.api.post('/plans', plan)).body.id;
const student = { nome: 'Ana Prado', telefone: '11943214321', plano_id };
const student_id = (await trainer.api.post('/students', student)).body.id;

const charge = async () => {
  const body = { student_id, descricao: 'Camiseta', valor: 5000, vencimento: '2030-11-25' };
  return (await trainer.api.post('/charges', body)).body.id;
};
const topicsOf = ({ headers }: { headers: Headers }) => headers.get('Rende-Topics')?.split(' ').sort();

it('a command answers with the topics of the hints that follow it', async () => {
  const heard: { topic: string; position: number }[] = [];
  const socket = await connectSocket(app, trainer);
  socket.on('hint', (hint: (typeof heard)[number]) => heard.push(hint));
  const { api } = trainer;
  await api.post(`/students/${student_id}/credits/renew`);

  const consumed = await api.post(`/students/${student_id}/credits/consume`, { motivo: 'Aula avulsa' });
  expect(topicsOf(consumed)).toEqual(['credits', 'history']);

  const payment = { valor: 5000, data: '2026-11-20', metodo_pagamento: 'pix' };
  const toPay = await charge();
  // A batch of several commands gives one hint a topic, with the position of the last.
  await api.get(`/charges/${toPay}`);
  const paid = await api.post(`/charges/${toPay}/payments`, payment);
  expect(topicsOf(paid)).toEqual(['charges', 'history', 'months', 'transactions']);

  const position = Number(paid.headers.get('Rende-Position'));
  const hinted = () => heard.filter((hint) => hint.position === position).map(({ topic }) => topic);
  const topics = topicsOf(paid)!;
  await eventually(
    () => Promise.resolve([...new Set(hinted())].filter((topic) => topic !== 'notifications').sort()),
    topics,
  );
});

it('a repeated command, and one that writes other tables, name no topics', async () => {
  const idempotencyKey = randomUUID();
  const note = () =>
    trainer.api.post(
      `/students/${student_id}/notes`,
      { texto: 'Joelho', dia: '2026-11-20' },
      { idempotencyKey },
    );
  expect(topicsOf(await note())).toEqual(['history', 'student-notes']);
  const again = await note();
  expect(again.headers.get('Rende-Position')).not.toBeNull();
  expect(topicsOf(again)).toBeUndefined();

  const zone = await trainer.api.put('/settings/timezone', { fuso_horario: 'America/Manaus' });
  expect(topicsOf(zone)).toBeUndefined();
});

it('an anonymous caller is told no topics', async () => {
  const { link } = (await trainer.api.get<ChargeDetail>(`/charges/${await charge()}`)).body;
  const token = link!.split('/').at(-1);
  expect(topicsOf(await new Client(app.url).post('/pay/claim', { token }))).toBeUndefined();
});
