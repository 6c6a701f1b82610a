import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { isInUse } from '../../platform/event-store/uses.js';
import { decideAdd, decideRemove, decideRestore, decideSetWay, decideUpdate, location } from './location.js';
import type { LocationChanges, NewLocation } from './locations.api.js';

export const AddLocation = defineCommand('AddLocation', async (tx, fields: NewLocation) => {
  const id = randomUUID();
  tx.append(location, id, decideAdd(id, fields));
  await setWays(tx, id, fields.deslocamentos);
  return { id };
});

export const UpdateLocation = defineCommand(
  'UpdateLocation',
  async (tx, id: string, changes: LocationChanges) => {
    tx.append(location, id, decideUpdate(await tx.load(location, id), changes));
    await setWays(tx, id, changes.deslocamentos ?? []);
    return { id };
  },
);

/** Records travel times at both locations; locations that were removed since the form was opened are skipped. */
async function setWays(tx: CommandTransaction, id: string, ways: NewLocation['deslocamentos']) {
  for (const { location_id: other, minutos } of ways) {
    const end = await tx.load(location, other);
    if (end.status === 'removed') continue;
    tx.append(location, id, decideSetWay(await tx.load(location, id), other, minutos));
    tx.append(location, other, decideSetWay(end, id, minutos));
  }
}

export const RemoveLocation = defineCommand('RemoveLocation', async (tx, id: string) => {
  const [state, inUse] = await Promise.all([tx.load(location, id), isInUse(tx, location, id)]);
  tx.append(location, id, decideRemove(state, inUse));
  return { id };
});

export const RestoreLocation = defineCommand('RestoreLocation', async (tx, id: string) => {
  tx.append(location, id, decideRestore(await tx.load(location, id)));
  return { id };
});
