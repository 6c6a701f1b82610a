import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { isInUse } from '../../platform/event-store/uses.js';
import {
  agreed,
  type Agreed,
  decideCreate,
  decideRemove,
  decideRestore,
  decideUpdate,
  offeredService,
  service,
} from './service.js';
import type { NewService, ServiceChanges } from './services.api.js';

export const CreateService = defineCommand('CreateService', (tx, fields: NewService) => {
  const id = randomUUID();
  tx.append(service, id, decideCreate(id, fields));
  return { id };
});

export const UpdateService = defineCommand(
  'UpdateService',
  async (tx, id: string, changes: ServiceChanges) => {
    tx.append(service, id, decideUpdate(await tx.load(service, id), changes));
    return { id };
  },
);

export const RemoveService = defineCommand('RemoveService', async (tx, id: string) => {
  const [state, inUse] = await Promise.all([tx.load(service, id), isInUse(tx, service, id)]);
  tx.append(service, id, decideRemove(state, inUse));
  return { id };
});

export const RestoreService = defineCommand('RestoreService', async (tx, id: string) => {
  tx.append(service, id, decideRestore(await tx.load(service, id)));
  return { id };
});

/** What a session agrees to that is booked with this service, or with none. */
export async function loadAgreed(
  tx: CommandTransaction,
  service_id: string | null | undefined,
): Promise<Agreed | null> {
  return service_id ? agreed(offeredService(await tx.load(service, service_id))) : null;
}
