import { defineCommand } from '../../platform/event-store/define-command.js';
import type { TermsAcceptance } from './general-terms.api.js';
import { decideAccept, generalTerms } from './general-terms.js';

export const AcceptGeneralTerms = defineCommand(
  'AcceptGeneralTerms',
  async (tx, { versao }: TermsAcceptance) => {
    const id = tx.context.tenantId;
    tx.append(generalTerms, id, decideAccept(await tx.load(generalTerms, id), versao));
    return { id };
  },
);
