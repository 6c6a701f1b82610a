import { afterEach, expect, it, jest } from '@jest/globals';

jest.unstable_mockModule('../../lib/owner.js', () => ({
  owner: () => ({ userId: 'user', tenantId: 'tenant' }),
}));
const { field, open } = await import('../../../spec/screen.js');
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
