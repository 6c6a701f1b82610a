import { defineCommand } from '../../platform/event-store/define-command.js';
import { dateOf } from '../../platform/local-time.js';
import type { ExceptionRows, NewWeek } from './availability.api.js';
import { availability, decideSetException, decideSetWeek } from './availability.js';

export const SetAvailability = defineCommand('SetAvailability', async (tx, week: NewWeek) => {
  const id = tx.context.tenantId;
  tx.append(availability, id, decideSetWeek(await tx.load(availability, id), week));
  const { versao } = await tx.load(availability, id);
  return { id, versao };
});

export const SetAvailabilityException = defineCommand(
  'SetAvailabilityException',
  async (tx, data: string, rows: ExceptionRows) => {
    const id = tx.context.tenantId;
    const state = await tx.load(availability, id);
    const today = dateOf(tx.now, tx.context.timezone);
    tx.append(availability, id, decideSetException(state, { data, ...rows }, today));
    return { id, versao: state.versao };
  },
);
