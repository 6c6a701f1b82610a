import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns';
import type { Locator } from 'playwright-core';

/** Taps an entry of the sheet's menu of rare actions. */
export async function more(sheet: Locator, name: string): Promise<void> {
  await sheet.getByRole('button', { name: 'Mais opções' }).click();
  await sheet.page().getByRole('menuitem', { name, exact: true }).click();
}

/** Late in the evening a booking is proposed for tomorrow: chooses a time of today. */
export async function chooseToday(sheet: Locator): Promise<void> {
  const now = new TZDate(new Date(), 'America/Sao_Paulo');
  if (format(now, 'HH:mm') < '21:00') return;
  await sheet.getByLabel('Data').fill(format(now, 'dd/MM/yyyy'));
  await sheet.getByLabel('Horário de início').fill('23:00');
}
