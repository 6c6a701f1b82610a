import { defineCommand } from '../../platform/event-store/define-command.js';
import { decideZone, tenant } from './tenant.js';

/** The row from which requests read the time zone of their tenant. */
const SET_ZONE = 'update tenants set timezone = $2 where tenant_id = $1';

interface ZoneChange {
  fuso_horario: string;
  se_ainda?: string | undefined;
}

export const ChangeZone = defineCommand('ChangeZone', async (tx, { fuso_horario, se_ainda }: ZoneChange) => {
  const id = tx.context.tenantId;
  tx.append(tenant, id, decideZone(await tx.load(tenant, id), fuso_horario, se_ainda));
  tx.inTransaction((query) => query(SET_ZONE, [id, fuso_horario]));
  return { id };
});
