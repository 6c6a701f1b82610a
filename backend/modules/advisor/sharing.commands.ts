import { defineCommand } from '../../platform/event-store/define-command.js';
import type { AdvisorSharing } from './sharing.api.js';
import { advisorSharing, decideShare } from './sharing.js';

export const SetAdvisorSharing = defineCommand('SetAdvisorSharing', async (tx, wanted: AdvisorSharing) => {
  const id = tx.context.tenantId;
  tx.append(advisorSharing, id, decideShare(await tx.load(advisorSharing, id), wanted));
  return { id };
});
