import { addDays, addHours, subDays, subHours, subYears } from 'date-fns';
import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { consents, type RequestPage } from '../../backend/modules/contracts/contracts.api.js';
import type { DossierPreview } from '../../backend/modules/dossier/dossier.api.js';
import type { ReminderList } from '../../backend/modules/reminders/reminders.api.js';
import { prepareReminders } from '../../backend/modules/reminders/reminders.job.js';
import { Database } from '../../backend/platform/database/database.js';
import type { ProblemBody } from '../../backend/platform/http/common.api.js';
import { agendaOf } from '../agenda/trainer.js';
import { caughtUp } from '../proof/read-tables.js';
import { Client } from '../support/client.js';
import { SetClock, dayOf } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { pageTextsOf, textOf } from '../support/pdf-text.js';
import { signUp, type Trainer } from '../support/people.js';
import { writtenPage } from '../support/written-page.js';
import { sharedApp } from '../support/shared.js';

/** Records have the time of the machine, so the three months end today. Sessions are at seven in São Paulo. */
const today = new Date(`${dayOf()}T10:00:00Z`);
const first = subDays(today, 91);
const period = { de: dayOf(subDays(today, 90)), ate: dayOf() };
const clock = new SetClock(first);
const app = await sharedApp(clock);
const database = await testDatabase();
const stranger = () => new Client(app.url);

interface Case {
  trainer: Trainer;
  agenda: ReturnType<typeof agendaOf>;
  ana: string;
  place: string;
}

async function begin(): Promise<Case> {
  const trainer = await signUp(app, { nome: 'Marina Prado' });
  const agenda = agendaOf(trainer.api);
  const ana = await agenda.student('Ana Souza', await agenda.plan({ creditos: 8, valor: 72_000 }));
  await trainer.api.patch(`/students/${ana}`, { cpf: '529.982.247-25', observacoes: 'hérnia lombar' });
  const place = await agenda.location('Parque');
  const terms = { cancel_limite_horas: 24, taxa_percent: 50, queima_credito: true };
  await trainer.api.put(`/locations/${place}/policy`, terms);
  await trainer.api.put('/settings/receipts', {
    nome: 'Marina Prado',
    documento: '111.444.777-35',
    cref: '012345-G/SP',
    cidade: 'São Paulo',
  });
  return { trainer, agenda, ana, place };
}

async function sign({ trainer, ana }: Case) {
  const conteudo = '<p>Entre as partes.</p><p>Cancelamento com menos de 24 h desconta a aula.</p>';
  const { id } = (await trainer.api.post('/contracts', { titulo: 'Contrato', conteudo })).body;
  await trainer.api.post(`/contracts/${id}/send`, { alunos: [ana], canal: 'link' });
  const { items } = (await trainer.api.get<RequestPage>(`/contracts/${id}/requests`)).body;
  const token = items[0]!.url!.split('/').at(-1)!;
  await stranger().get(`/signature-links/${token}`);
  const agreed = { consent_data_processing: true, consent_terms: true, consentimento: consents.versao };
  await stranger().post('/signature-links/sign', {
    token,
    nome: 'Ana Souza',
    cpf: '529.982.247-25',
    telefone: '(11) 94321-4321',
    codigo: null,
    ...agreed,
  });
}

const preview = async ({ trainer, ana }: Case, query: object = period) =>
  (await trainer.api.get<DossierPreview>(`/students/${ana}/dossier`, { query: { ...query } })).body;

async function download({ trainer, ana }: Case): Promise<Buffer> {
  // The file is not JSON: a read that waits for the last write comes before it.
  await preview({ trainer, ana } as Case);
  const response = await fetch(
    `${app.url}/api/v1/students/${ana}/dossier/file?${new URLSearchParams(period).toString()}`,
    {
      headers: { authorization: `Bearer ${trainer.accessToken}` },
    },
  );
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  return Buffer.from(await response.arrayBuffer());
}

const words = (file: Buffer) => textOf(file).replace(/\s+/g, ' ');
const codeIn = (file: Buffer) => /Rende (D(?:-[A-Z2-9]{4}){4})/.exec(file.toString('latin1'))![1]!;
const refusal = async ({ trainer, ana }: Case, query: Record<string, string>, path = '') => {
  const { status, body } = await trainer.api.request<ProblemBody>(
    'GET',
    `/api/v1/students/${ana}/dossier${path}`,
    { query },
  );
  return { status, said: body.errors?.[0]?.detail ?? body.title };
};

describe('three months of a student', () => {
  let usual: Case;
  let file: Buffer;

  /** Two sessions a week, each with a reminder that is answered; one is cancelled 9 hours before. */
  beforeAll(async () => {
    clock.at = first;
    usual = await begin();
    const { trainer, agenda, ana, place } = usual;
    await sign(usual);
    for (const [at, week] of Array.from({ length: 26 }, (_, n) => [n % 2, Math.floor(n / 2)] as const)) {
      const inicio = addDays(first, 1 + week * 7 + at * 2);
      clock.at = subHours(inicio, 60);
      if (week % 4 === 0 && at === 0)
        await trainer.api.post(`/students/${ana}/credits/renew/payment`, {
          valor: 72_000,
          metodo_pagamento: 'pix',
          data: clock.at.toISOString().slice(0, 10),
        });
      const times = { inicio: inicio.toISOString(), fim: addHours(inicio, 1).toISOString() };
      const id = await agenda.book({
        student_id: ana,
        location_id: place,
        ...times,
        observacoes: 'sem carga',
      });
      clock.at = subHours(inicio, 12);
      await trainer.api.get('/reminders');
      await app.run(prepareReminders.Handler);
      const { items } = (await trainer.api.get<ReminderList>('/reminders')).body;
      const token = /confirmar\/([\w-]{32})/.exec(items[0]!.texto)![1]!;
      await trainer.api.post(`/reminders/${items[0]!.id}/sent`);
      if (week === 5 && at === 1) {
        clock.at = subHours(inicio, 9);
        await agenda.cancel(id, { motivo: 'aluno_fora_do_prazo', aplicar_politica: true });
        continue;
      }
      await caughtUp(database);
      await stranger().post('/confirmations', { token });
      clock.at = addHours(inicio, 2);
      await agenda.complete(id);
    }
    clock.at = new Date();
    file = await download(usual);
  });

  it('is told on four pages, with the contract, the rule, and who cancelled when', () => {
    expect(pageTextsOf(file).length).toBeLessThanOrEqual(4);
    const text = words(file);
    expect(text).toContain('“Contrato”, versão 1');
    expect(text).toContain('Cancelamento com menos de 24 h desconta a aula.');
    expect(text).toContain('Até 24 h antes sem custo; depois, desconta 1 crédito e cobra taxa de 50%');
    expect(text).toContain('26 sessões: 25 feitas, 1 cancelada.');
    expect(text).toContain('1 crédito e taxa de R$ 45,00');
    expect(text).toContain('confirmou');
    expect(text).toContain('Saldo antes do período: 8. Saldo no fim: 6.');
  });

  it('names the trainer with CREF, and the student with a masked CPF, without private notes', () => {
    const text = words(file);
    expect(text).toContain('Marina Prado, CREF 012345-G/SP');
    expect(text).toContain('***.982.247-**');
    expect(text).not.toMatch(/529\.982|hérnia|sem carga|94321/);
  });

  it('is announced by the same counts', async () => {
    expect(await preview(usual)).toMatchObject({
      contrato: { titulo: 'Contrato', versao: 1 },
      regras: 2,
      sessoes: 26,
      canceladas: 1,
      cobrancas: 4,
      pagamentos: 3,
    });
  });

  it('has a code that is verified without a name, and a signature', async () => {
    expect(file.toString('latin1')).toContain('/SubFilter /ETSI.CAdES.detached');
    const { status, text, words: said } = await writtenPage(app, `/verificar/${codeIn(file)}`);
    expect([status, said]).toEqual([200, expect.stringContaining('Registro do dossiê confere')]);
    expect(text).not.toMatch(/Ana|Souza|Marina|Prado/);
    const other = `${codeIn(file).slice(0, -1)}${codeIn(file).endsWith('A') ? 'B' : 'A'}`;
    expect((await writtenPage(app, `/verificar/${other}`)).status).toBe(404);
  });

  it('takes as many statements as one without anything', async () => {
    /** The least of several times: jobs of the application read meanwhile. */
    const statementsOf = async (query: object) => {
      const found = app.nest.get(Database);
      let least = Infinity;
      for (let n = 0; n < 8; n += 1) {
        const counted = [jest.spyOn(found, 'report'), jest.spyOn(found, 'read'), jest.spyOn(found, 'lookUp')];
        await preview(usual, query);
        least = Math.min(
          least,
          counted.reduce((sum, { mock }) => sum + mock.calls.length, 0),
        );
        for (const each of counted) each.mockRestore();
      }
      return least;
    };
    const one = await statementsOf({ de: period.de, ate: period.de });
    expect(one).toBeLessThanOrEqual(14);
    expect(await statementsOf(period)).toBe(one);
  });

  it('keeps days and amounts of a forgotten student, without a name, a CPF, or the words of the contract', async () => {
    await usual.trainer.api.post(`/students/${usual.ana}/forget`);
    const text = words(await download(usual));
    expect(text).toContain('Dados pessoais apagados');
    expect(text).toContain('26 sessões: 25 feitas, 1 cancelada.');
    expect(text).toContain('Contrato, versão 1');
    expect(text).not.toMatch(/Souza|982\.247|desconta a aula/);
  });
});

describe('a period', () => {
  let empty: Case;
  beforeEach(async () => {
    clock.at = first;
    empty = await begin();
  });

  it('has an end after its start, and at most 24 months', async () => {
    expect(await refusal(empty, { de: period.ate, ate: period.de })).toEqual({
      status: 422,
      said: 'O fim do período vem depois do início',
    });
    expect(await refusal(empty, { de: dayOf(subDays(subYears(today, 2), 1)), ate: period.ate })).toEqual({
      status: 422,
      said: 'Escolha um período de até 24 meses',
    });
    expect((await refusal(empty, { de: dayOf(subYears(today, 2)), ate: period.ate })).status).toBe(200);
  });

  it('in which nothing happened has no file', async () => {
    expect(await preview(empty)).toMatchObject({ contrato: null, sessoes: 0, registros: 0 });
    expect(await refusal(empty, period, '/file')).toEqual({
      status: 422,
      said: 'Nada aconteceu neste período',
    });
  });
});
