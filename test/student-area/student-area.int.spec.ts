import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OwnSessions } from '../../backend/modules/agenda/own-sessions.api.js';
import type { OwnCharges } from '../../backend/modules/charges/charges.api.js';
import type { CreditStatement } from '../../backend/modules/credits/credits.api.js';
import type { Confirmed } from '../../backend/modules/reminders/reminders.api.js';
import { RemindersJob } from '../../backend/modules/reminders/reminders.job.js';
import { studentAccount } from '../accounts/own-data.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { caughtUp } from '../proof/read-tables.js';
import { startApp, type TestApp } from '../support/app.js';
import { SetClock } from '../support/clock.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';

const clock = new SetClock(new Date(on(9)(12)));
let database: TestDatabase;
let app: TestApp;
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let ana: string;
let student: Awaited<ReturnType<typeof studentAccount>>;

beforeAll(async () => {
  database = await testDatabase();
  app = await startApp({ clock });
});

beforeEach(async () => {
  clock.at = new Date(on(9)(12));
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
  ana = await agenda.student('Ana Souza', await agenda.plan({ valor: 10_000, creditos: 4 }));
  student = await studentAccount(app, trainer, ana, 'Ana');
});

const book = (day: number, more: object = {}) =>
  agenda.book({ student_id: ana, inicio: on(day)(7), fim: on(day)(8), ...more });
/** What a student reads once everything is projected: what others wrote has no position there. */
async function read<Body>(path: string): Promise<Body> {
  await caughtUp(database);
  return (await student.api.get<Body>(path)).body;
}
const next = async () => (await read<OwnSessions>('/student/sessions')).items;

describe('the own credits', () => {
  it('are told as the trainer reads them, without what the trainer noted', async () => {
    await agenda.renew(ana);
    await trainer.api.post(`/students/${ana}/credits/adjust`, { quantidade: 2, motivo: 'só para mim' });
    await agenda.complete(await book(8));
    const { body: theirs } = await trainer.api.get<CreditStatement>(`/students/${ana}/credits`);
    const own = await read<CreditStatement>('/student/credits');
    expect(theirs.saldo).toBe(5);
    const items = theirs.extrato.items.map((line) => ({ ...line, motivo: null, user_id: null }));
    expect(own).toEqual({ ...theirs, extrato: { ...theirs.extrato, items } });
    const sheet = await read<string>('/student/credits/csv');
    expect(sheet.replace('\ufeff', '').split('\r\n').slice(0, 2)).toEqual([
      'data;lancamento;quantidade;saldo;por_que',
      '09/11/2026 12:00;Crédito usado;-1;5;Sessão de dom., 8 de nov. de 2026, 7:00, sem local',
    ]);
    expect(sheet).not.toContain('só para mim');
  });

  it('are shown as they were', async () => {
    await agenda.renew(ana);
    clock.at = new Date(on(9)(13));
    await agenda.complete(await book(8));
    const { saldo } = await read<CreditStatement>(`/student/credits?at=${on(9)(12)}`);
    expect(saldo).toBe(4);
    expect((await read<CreditStatement>('/student/credits')).saldo).toBe(3);
  });
});

describe('what is to pay', () => {
  const charge = (student_id: string, more: object = {}) =>
    trainer.api.post('/charges', {
      ...{ student_id, descricao: 'Pacote', valor: 10_000, vencimento: '2026-11-08', ...more },
    });

  it('is the own open charges with their Pix codes, and the trainer hears that it was paid', async () => {
    await trainer.api.put('/settings/pix', {
      ...{ tipo: 'email', chave: 'ana@exemplo.com.br', nome: 'Ana Personal', cidade: 'Sao Paulo' },
    });
    const other = await agenda.student('Bia Lima');
    const [{ body: own }, { body: foreign }] = [await charge(ana), await charge(other)];
    await trainer.api.post(`/charges/${(await charge(ana)).body.id}/cancel`);
    expect((await read<OwnCharges>('/student/charges')).items).toEqual([
      {
        ...{ id: own.id, descricao: 'Pacote', valor: 10_000, falta: 10_000, vencimento: '2026-11-08' },
        ...{ situacao: 'vencida', avisada: false, pix: expect.stringMatching(/^000201.*5406100\.00/) },
      },
    ]);
    await student.api.post(`/student/charges/${own.id}/claim`);
    await student.api.post(`/student/charges/${foreign.id}/claim`, undefined, { status: 404 });
    expect((await read<OwnCharges>('/student/charges')).items).toMatchObject([{ avisada: true }]);
  });

  it('has no code where the trainer has set no key', async () => {
    await charge(ana);
    expect((await read<OwnCharges>('/student/charges')).items).toMatchObject([{ pix: null }]);
  });
});

describe('the next sessions', () => {
  it('are confirmed once their reminder is there, by their student alone', async () => {
    const id = await book(10);
    const bia = await studentAccount(app, trainer, await agenda.student('Bia Lima'), 'Bia');
    expect(await next()).toMatchObject([{ id, a_confirmar: false }]);
    await student.api.post(`/student/sessions/${id}/confirm`, undefined, { status: 404 });
    clock.at = new Date(on(9)(18));
    await app.nest.get(RemindersJob).run();
    expect(await next()).toMatchObject([{ id, a_confirmar: true }]);
    await bia.api.post(`/student/sessions/${id}/confirm`, undefined, { status: 404 });
    const confirm = () => student.api.post<Confirmed>(`/student/sessions/${id}/confirm`);
    expect((await confirm()).body.nova).toBe(true);
    expect((await confirm()).body.nova).toBe(false);
    expect(await next()).toMatchObject([{ id, a_confirmar: false, confirmado: true }]);
  });
});
