import type { OwnerCommand } from '../../platform/features.js';
import { plural } from '../../platform/plural.api.js';
import { checkSeals } from './seal-check.service.js';
import { SealBucket } from './seal-bucket.service.js';
import { SealFiles } from './seal-files.service.js';

/** Verifies all seals and their copy, and that the log of every tenant still is what they hold. @throws where a finding is no restore */
export const verifySeals: OwnerCommand = async (config, client) => {
  const files = new SealFiles(config);
  await client.query('begin isolation level repeatable read, read only');
  const { findings, days, stamped } = await checkSeals(
    files,
    async (text, values) => (await client.query<never>(text, values)).rows,
  );
  await client.query('rollback');
  const bucket = new SealBucket(config, files);
  const copy = bucket.isConfigured
    ? await bucket.differences().catch((error: unknown) => error as Error)
    : null;
  if (Array.isArray(copy)) findings.push(...copy);
  if (copy instanceof Error)
    findings.push({ outcome: 'faltam_lacres', text: `A cópia externa não foi conferida: ${copy.message}.` });
  const lines = [
    ...findings.map(({ tenantId, text }) => `${tenantId ? `${tenantId}: ` : ''}${text}`),
    days.length === 0
      ? `Nenhum lacre em ${config.sealsFolder}.`
      : `${plural(days.length, 'lacre conferido', 'lacres conferidos')}, de ${days[0]} a ${days.at(-1)}, ${stamped} com carimbo do tempo.`,
    ...(Array.isArray(copy) ? [`Cópia externa conferida: ${config.sealsBucket!.url}`] : []),
    `Chave pública (Ed25519): ${files.publicKeyText}`,
  ].join('\n');
  if (findings.some(({ outcome }) => outcome !== 'restaurado')) throw new Error(lines);
  return lines;
};
