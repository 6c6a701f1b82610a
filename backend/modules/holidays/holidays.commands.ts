import { randomUUID } from 'node:crypto';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { decideAdd, decideRemove, decideRestore, decideSwitch, holidays } from './holiday-calendar.js';
import type { HolidaySwitch, NewHoliday } from './holidays.api.js';

export const AddHoliday = defineCommand('AddHoliday', async (tx, wanted: NewHoliday) => {
  const { tenantId } = tx.context;
  const id = randomUUID();
  tx.append(holidays, tenantId, decideAdd(await tx.load(holidays, tenantId), id, wanted));
  return { id };
});

export const RemoveHoliday = defineCommand('RemoveHoliday', async (tx, id: string) => {
  const { tenantId } = tx.context;
  tx.append(holidays, tenantId, decideRemove(await tx.load(holidays, tenantId), id));
  return { id };
});

export const RestoreHoliday = defineCommand('RestoreHoliday', async (tx, id: string) => {
  const { tenantId } = tx.context;
  tx.append(holidays, tenantId, decideRestore(await tx.load(holidays, tenantId), id));
  return { id };
});

export const SwitchHoliday = defineCommand(
  'SwitchHoliday',
  async (tx, id: string, { ativo }: HolidaySwitch) => {
    const { tenantId } = tx.context;
    tx.append(holidays, tenantId, decideSwitch(await tx.load(holidays, tenantId), id, ativo));
    return { id };
  },
);
