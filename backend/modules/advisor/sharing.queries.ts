import { Config } from '../../platform/config/env.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { statement } from '../../platform/database/statement.js';
import { type AdvisorSharing, defaultSharing, type ShownSharing } from './sharing.api.js';

export const ShowAdvisorSharing = defineQuery(
  'ShowAdvisorSharing',
  { config: Config },
  async ({ read }, { config }): Promise<ShownSharing> => {
    const [row] = await read(own({}));
    const { envio } = (row as AdvisorSharing | undefined) ?? defaultSharing;
    const { advisor } = config;
    return { envio, servidor: advisor ? new URL(advisor.url).host : null };
  },
);

const own = statement((db) => db.selectFrom('advisor_sharing').select('envio').compile());
