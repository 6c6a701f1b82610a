import { afterEach, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';

jest.unstable_mockModule('../../lib/owner.js', () => ({
  owner: () => ({ userId: 'user', tenantId: 'tenant' }),
}));
const { button, field, open } = await import('../../../spec/screen.js');
const { BookingSheet } = await import('./booking-sheet.js');
const { StudentPartsProvider } = await import('./student-parts.js');

const none = () => null;
const sheet = (
  <StudentPartsProvider
    value={{
      ...{ SessionCharge: none, SessionDue: none, SessionReminder: none, SessionRequest: none },
      ...{ ConfirmVisit: none, DeclineVisit: none, RequestMark: none },
    }}
  >
    <BookingSheet
      opened
      day="2026-11-26"
      time={null}
      studentId={null}
      onClose={none}
      NewStudent={none}
      NewLocation={none}
    />
  </StudentPartsProvider>
);

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
