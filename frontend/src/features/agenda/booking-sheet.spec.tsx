import { afterEach, expect, it, jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';

jest.unstable_mockModule('../../lib/owner.js', () => ({
  owner: () => ({ userId: 'user', tenantId: 'tenant' }),
}));
const { button, field, open, said, TROUBLE } = await import('../../../spec/screen.js');
const { BookingSheet } = await import('./booking-sheet.js');
const { StudentPartsProvider } = await import('./student-parts.js');

const none = () => null;
const sheetOf = (studentId: string | null, time: string | null = null) => (
  <StudentPartsProvider
    value={{
      SessionCharge: none,
      SessionDue: none,
      SessionReminder: none,
      SessionRequest: none,
      ConfirmVisit: none,
      DeclineVisit: none,
      RequestMark: none,
    }}
  >
    <BookingSheet
      opened
      day="2026-11-26"
      time={time}
      studentId={studentId}
      onClose={none}
      NewStudent={none}
      NewLocation={none}
    />
  </StudentPartsProvider>
);
const sheet = sheetOf(null);

afterEach(() => void jest.useRealTimers());

it('what was typed for today is there late in the evening, when the form proposes the next day', async () => {
  jest.useFakeTimers({ now: Date.parse('2026-11-26T20:00:00-03:00'), advanceTimers: true });
  const user = open(sheet);
  await user.type(await field('Observações'), 'Trazer elástico');
  jest.setSystemTime(Date.parse('2026-11-26T22:30:00-03:00'));
  open(sheet, { again: true });
  expect([(await field('Observações')).value, (await field('Data')).value]).toEqual([
    'Trazer elástico',
    '27/11/2026',
  ]);
});

it('a session keeps its length when another start is typed after a draft was discarded, and has at most six hours', async () => {
  jest.useFakeTimers({ now: Date.parse('2026-11-26T08:00:00-03:00'), advanceTimers: true });
  const user = open(sheet);
  const starts = async (time: string) => {
    const start = await field('Horário de início');
    await user.clear(start);
    await user.type(start, time);
    return (await field('Horário de término')).value;
  };
  expect(await starts('0530')).toBe('06:30');
  open(sheet, { again: true });
  await user.click(await button('Descartar'));
  expect(await starts('1600')).toBe('17:00');
  const end = await field('Horário de término');
  await user.clear(end);
  await user.type(end, '2230');
  await user.click(await button('Toda semana'));
  await user.click(await button('Ver sessões'));
  await screen.findByText('A sessão deve durar no máximo 6 horas.');
});

it('a booking that was refused comes back with what was typed, until it is discarded', async () => {
  const id = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a21';
  const student = { nome: 'Ana', whatsapp: null, telefone: null, creditos: 4, esquecido: false };
  const answers = { [`GET /students/${id}`]: student, 'POST /sessions': TROUBLE };
  const user = open(sheetOf(id), { answers });
  await user.type(await field('Observações'), 'Trazer elástico');
  await user.click(await button('Agendar'));
  expect((await said())[0]).toBe('Erro ao criar agendamento');
  open(sheetOf(id), { answers, again: true });
  expect((await field('Observações')).value).toBe('Trazer elástico');
  await user.click(await button('Descartar'));
  expect((await field('Observações')).value).toBe('');
});

it('a day and a time that are typed wrong say how, and no hours are offered for such a day', async () => {
  jest.useFakeTimers({ now: Date.parse('2026-11-26T08:00:00-03:00'), advanceTimers: true });
  const livres = [{ inicio: '2026-11-26T12:00:00.000Z', fim: '2026-11-26T20:00:00.000Z' }];
  const user = open(sheet, { answers: { 'GET /free-times': { livres, bloqueios: [] } } });
  const type = async (name: string, text: string) => {
    await user.clear(await field(name));
    if (text) await user.type(await field(name), text);
    await user.tab();
  };
  const wrong = async (name: string) => {
    const input = await field(name);
    return input.getAttribute('aria-invalid') === 'true' && input.getAttribute('aria-describedby');
  };
  await screen.findByRole('group', { name: 'Horários livres' });
  await type('Data', '25/13/2026');
  await screen.findByText('Informe o dia como 25/12/2026');
  expect(screen.queryByRole('group', { name: 'Horários livres' })).toBeNull();
  await type('Horário de início', '25:00');
  await type('Horário de término', '');
  await user.click(await button('Agendar'));
  expect(await screen.findAllByText('Informe o horário como 07:30')).toHaveLength(2);
  for (const name of ['Data', 'Horário de início', 'Horário de término'])
    expect([name, await wrong(name)]).toEqual([name, expect.stringContaining('error')]);
});

it('weekdays and end of a series are there after a reload, until they are discarded', async () => {
  const id = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a21';
  const user = open(sheetOf(id));
  await user.click(await button('Toda semana'));
  await user.click(await button('Segunda'));
  await user.selectOptions(await field('Termina'), 'vezes');
  await user.clear(await field('Vezes'));
  await user.type(await field('Vezes'), '4');
  open(sheetOf(id), { again: true });
  expect((await button('Segunda')).getAttribute('aria-pressed')).toBe('true');
  expect((await field('Vezes')).value).toBe('4');
  await user.click(await button('Descartar'));
  expect((await button('Não se repete')).getAttribute('aria-pressed')).toBe('true');
});

it('a session is as long as the length that is tapped', async () => {
  const user = open(sheet);
  const start = await field('Horário de início');
  await user.clear(start);
  await user.type(start, '0900');
  await user.click(await button('90 min'));
  expect((await field('Horário de término')).value).toBe('10:30');
});

it('nothing is booked before the place of the chosen student is filled in', async () => {
  const id = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a21';
  const place = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a22';
  const past = { inicio: '2026-11-20T10:00:00.000Z', fim: '2026-11-20T11:00:00.000Z', servico: null };
  let answer: (page: unknown) => void = none;
  const later = new Promise((resolve) => (answer = resolve));
  const sent: unknown[] = [];
  const student = { nome: 'Ana', whatsapp: null, telefone: null, creditos: 4, esquecido: false };
  const user = open(sheetOf(id, '07:00'), {
    answers: {
      [`GET /students/${id}`]: student,
      'GET /free-times': { livres: [], bloqueios: [] },
      'GET /sessions?student_id': () => later,
      'GET /locations': { items: [{ id: place, nome: 'Parque', is_active: true }], next: null, total: 1 },
      'POST /sessions': (body: unknown) => (sent.push(body), { id: 'new' }),
    },
  });
  const book = await button('Agendar');
  await user.click(book);
  expect([book.hasAttribute('data-loading'), sent]).toEqual([true, []]);
  answer({ items: [{ ...past, location_id: place }], next: null, total: 1 });
  await waitFor(() => expect(book.hasAttribute('data-loading')).toBe(false));
  await user.click(book);
  await waitFor(() => expect(sent).toMatchObject([{ location_id: place }]));
});
