import { defineCommand } from '../../platform/event-store/define-command.js';
import type { SharingChange } from './sharing.api.js';
import { advisorSharing, decideShare } from './sharing.js';

export const SetAdvisorSharing = defineCommand('SetAdvisorSharing', async (tx, wanted: SharingChange) => {
  const id = tx.context.tenantId;
  tx.append(advisorSharing, id, decideShare(await tx.load(advisorSharing, id), wanted));
  return { id };
});
