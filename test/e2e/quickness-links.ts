import type { NewInvite } from '../../backend/modules/accounts/invites.api.js';
import type { ChargeDetail } from '../../backend/modules/charges/charges.api.js';
import type { RequestPage } from '../../backend/modules/contracts/contracts.api.js';
import type { PublicLink } from '../../backend/modules/public-link/public-link.api.js';
import { playWaitlists } from '../../backend/modules/public-link/public-link.job.js';
import type { ShownReceipt } from '../../backend/modules/receipts/receipts.api.js';
import type { ReminderList } from '../../backend/modules/reminders/reminders.api.js';
import { prepareReminders } from '../../backend/modules/reminders/reminders.job.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { visitorsOf } from '../public-link/visitor.js';
import { startApp } from '../support/app.js';
import { SetClock } from '../support/clock.js';
import { createDatabase } from '../support/database.js';
import { signUp } from '../support/people.js';

const CONTRACT = `<h2>Contrato</h2>${'<p>{{aluno}} treina no plano {{plano}}, nos dias e horários combinados.</p>'.repeat(40)}`;

/** An application, and a page of each kind that it writes for whom has a link. */
export async function pagesByLink() {
  const app = await startApp({
    // Another application would end the offer by its own clock.
    database: await createDatabase(),
    // In the evening before a session, when reminders are prepared.
    clock: new SetClock(new Date(on(9)(18))),
    byHand: [prepareReminders],
  });
  const { api } = await signUp(app);
  const agenda = agendaOf(api);
  const location_id = await agenda.location();
  const ana = await agenda.student('Ana Souza');

  const { slug } = (await api.get<PublicLink>('/public-link')).body;
  const wish = { location_id, de: '2026-11-11', ate: '2026-11-12', periodos: ['noite'] };
  const { token } = (await visitorsOf(app.url, slug).wait(wish)).body;
  const horarios = [{ start_time: '18:00', end_time: '19:00', is_blocked: false }];
  await api.put('/availability/exceptions/2026-11-11', { horarios });
  await app.run(playWaitlists.Handler);

  await api.put('/settings/pix', {
    tipo: 'email',
    chave: 'bia@exemplo.com.br',
    nome: 'Carla Souza',
    cidade: 'São Paulo',
  });
  const charge = await api.post('/charges', {
    student_id: ana,
    descricao: 'Pacote 10',
    valor: 30_000,
    vencimento: '2026-11-25',
  });
  const contract = await api.post('/contracts', { titulo: 'Contrato', conteudo: CONTRACT });
  await api.post(`/contracts/${contract.body.id}/send`, { alunos: [ana], canal: 'link' });
  const invite = await api.post<NewInvite>(`/students/${ana}/invites`);
  await api.put('/settings/receipts', {
    nome: 'Carla Souza',
    documento: '111.444.777-35',
    cref: '012345-G/SP',
    cidade: 'São Paulo',
  });
  const paid = { tipo: 'receita', descricao: 'Mensalidade', valor: 48_000, metodo_pagamento: 'pix' };
  const transaction = await api.post('/transactions', { ...paid, data: '2026-11-09' });
  await api.post(`/transactions/${transaction.body.id}/receipt`, {
    nome: 'Ana Souza',
    cpf: '529.982.247-25',
    descricao: 'Mensalidade',
    de: '2026-11-01',
    ate: '2026-11-30',
  });
  await agenda.book({ student_id: ana, location_id, inicio: on(10)(7), fim: on(10)(8) });
  await app.run(prepareReminders.Handler);

  const { link } = (await api.get<ChargeDetail>(`/charges/${charge.body.id}`)).body;
  const { items } = (await api.get<RequestPage>(`/contracts/${contract.body.id}/requests`)).body;
  const { recibo } = (await api.get<ShownReceipt>(`/transactions/${transaction.body.id}/receipt`)).body;
  const reminders = (await api.get<ReminderList>('/reminders')).body.items;
  const pathOf = (url: string) => new URL(url, app.url).pathname;
  return {
    app,
    paths: {
      'a trainer': `/p/${slug}`,
      'a location': `/p/${slug}/${location_id}`,
      'an offer': `/p/espera/${token}?oferta=1`,
      'a charge': pathOf(link!),
      'a contract': pathOf(items[0]!.url!),
      'an invite': pathOf(invite.body.inviteUrl),
      'a reminder': /\/confirmar\/[\w-]{32}/.exec(reminders[0]!.texto)![0],
      'a receipt': pathOf(recibo!.link),
      'a receipt to verify': `/verificar/${recibo!.codigo}`,
    },
  };
}
