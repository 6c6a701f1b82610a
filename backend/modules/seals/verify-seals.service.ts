import type { OwnerCommand } from '../../platform/features.js';
import { plural } from '../../platform/plural.api.js';
import { checkSeals } from './seal-check.service.js';
import { SealFiles } from './seal-files.service.js';

/** Verifies all seals, and that the log of every tenant still is what they hold. @throws where a finding is no restore */
export const verifySeals: OwnerCommand = async (config, client) => {
  const files = new SealFiles(config);
  await client.query('begin isolation level repeatable read, read only');
  const { findings, days, stamped } = await checkSeals(
    files,
    async (text, values) => (await client.query<never>(text, values)).rows,
  );
  await client.query('rollback');
  const lines = [
    ...findings.map(({ tenantId, text }) => `${tenantId ? `${tenantId}: ` : ''}${text}`),
    days.length === 0
      ? `Nenhum lacre em ${config.sealsFolder}.`
      : `${plural(days.length, 'lacre conferido', 'lacres conferidos')}, de ${days[0]} a ${days.at(-1)}, ${stamped} com carimbo do tempo.`,
    `Chave pública (Ed25519): ${files.publicKeyText}`,
  ].join('\n');
  if (findings.some(({ outcome }) => outcome !== 'restaurado')) throw new Error(lines);
  return lines;
};
