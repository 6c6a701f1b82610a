import { expect, it } from '@jest/globals';
import { defaultBooking } from '../../../../backend/modules/student-area/student-booking.api.js';
import { field, open } from '../../../spec/screen.js';
import BookingSettingsPage from './booking-settings-page.js';

it('shows no notice as "Nenhuma", and no time between sessions as "Nenhum"', async () => {
  open(<BookingSettingsPage />, { answers: { 'GET /settings/student-booking': defaultBooking } });
  const first = async (label: string) =>
    ((await field(label)) as unknown as HTMLSelectElement).options[0]!.text;
  expect(await first('Antecedência mínima')).toBe('Nenhuma');
  expect(await first('Intervalo entre sessões')).toBe('Nenhum');
});
