import type { Query } from '../../platform/database/database.js';
import { plural } from '../../platform/plural.api.js';
import { shortDate } from '../../platform/portuguese.js';
import { endOf } from './seal-days.js';
import { type Leaf, NOTED, type Seal, type SealFiles } from './seal-files.service.js';
import { firstHash } from '../../platform/event-store/stored-events.js';
import type { Outcome } from './seals.api.js';

const RESTORES = `select backup_of, finished_at from restores where finished_at is not null order by finished_at`;
/** Leaves whose event is not there any more, or has another hash. */
const BROKEN = `select l.n::int, l.tenant_id as "tenantId", l.position, e.position is null as missing,
    coalesce((select max(position) from events where tenant_id = l.tenant_id), 0) as last
  from unnest($1::uuid[], $2::bigint[], $3::text[]) with ordinality as l(tenant_id, position, head, n)
  left join events e on e.tenant_id = l.tenant_id and e.position = l.position
  where e.position is null or l.head not in (encode(e.hash, 'hex'), ${firstHash('e')})
  order by l.n`;
/** Leaves that are compared with the log in one statement. */
const AT_ONCE = 5_000;

interface Broken extends Record<string, unknown> {
  /** Index of the leaf, from 1. */
  n: number;
  tenantId: string;
  position: number;
  missing: boolean;
  last: number;
}

interface Restore extends Record<string, unknown> {
  backup_of: Date;
  finished_at: Date;
}

/** What a seal shows: in words, and how bad it is. */
export interface SealFinding {
  outcome: Exclude<Outcome, 'integro'>;
  text: string;
  /** Where it concerns only one tenant. */
  tenantId?: string;
}

export interface SealsChecked {
  findings: SealFinding[];
  days: string[];
  stamped: number;
  /** The newest one, with its leaf if one tenant was verified. */
  newest: Seal | undefined;
}

/**
 * Verifies all seals, and that the log of a tenant, or of all, still is what they hold. A file is read at a time, so that only one is in
 * memory. Where the log differs since the database was restored from a backup that is older than the seal, that is said.
 */
export async function checkSeals(files: SealFiles, query: Query, tenantId?: string): Promise<SealsChecked> {
  const noted = await query<{ day: string; hash: string }>(NOTED, []);
  const hashes = new Map(noted.map(({ day, hash }) => [day, hash]));
  const restores = await query<Restore>(RESTORES, []);
  const days = await files.days();
  const gone = noted.filter(({ day }) => !days.includes(day));
  const checked: SealsChecked = { findings: [], days, stamped: 0, newest: undefined };
  const { findings } = checked;
  let before: string | null = null;
  let held: { leaf: Leaf; record: Seal['record'] }[] = [];
  const compare = async () => {
    const leaves = held.map(({ leaf }) => leaf);
    for (const broken of await query<Broken>(BROKEN, columnsOf(leaves))) {
      const { record } = held[broken.n - 1]!;
      findings.push({
        ...findingOf(broken, record.day, restoreAfter(record, restores)),
        tenantId: broken.tenantId,
      });
    }
    held = [];
  };
  for (const day of [...new Set([...hashes.keys(), ...days])].sort()) {
    const seal = await files.read(day);
    const wrong = seal ? wrongIn(seal, before, hashes.get(day)) : days.includes(day) && 'não pode ser lido';
    if (wrong) findings.push({ outcome: 'alterado', text: `O lacre de ${shortDate(day)} ${wrong}.` });
    before = seal?.isSigned ? seal.hash : (hashes.get(day) ?? before);
    if (!seal?.isSigned) continue;
    const { record, leaves } = seal;
    for (const leaf of leaves)
      if (tenantId === undefined || leaf.tenantId === tenantId) held.push({ leaf, record });
    if (held.length >= AT_ONCE) await compare();
    if (seal.stampedAt instanceof Date) checked.stamped += 1;
    checked.newest = seal;
  }
  await compare();
  if (gone.length > 0)
    findings.push({
      outcome: 'faltam_lacres',
      text: `${plural(gone.length, 'arquivo de lacre não foi encontrado', 'arquivos de lacre não foram encontrados')}, o primeiro de ${shortDate(gone[0]!.day)}.`,
    });
  return checked;
}

/** Why a file is not the seal that was made; false if it is. `before`: the hash of the seal before. */
function wrongIn(
  { record, hash, isSigned, isWhole, stampedAt }: Seal,
  before: string | null,
  noted: string | undefined,
): string | false {
  if (!isSigned) return 'foi alterado: a assinatura não confere';
  if (!isWhole) return 'foi alterado: a lista não é a que foi assinada';
  if (noted !== undefined && noted !== hash) return 'não é o que foi feito naquele dia';
  if (record.previous !== before) return 'não continua o anterior';
  return stampedAt === 'invalid' && 'tem um carimbo do tempo que não é dele';
}

/** The restore that took back what a seal holds, if there was one after it was made. */
const restoreAfter = (record: Seal['record'], restores: readonly Restore[]): Restore | undefined =>
  restores.find(
    ({ backup_of, finished_at }) => backup_of < endOf(record.day) && finished_at >= new Date(record.made_at),
  );

const columnsOf = (leaves: readonly Leaf[]): unknown[] => [
  leaves.map(({ tenantId }) => tenantId),
  leaves.map(({ position }) => position),
  leaves.map(({ head }) => head),
];

function findingOf(
  { position, missing, last }: Broken,
  day: string,
  restore: Restore | undefined,
): SealFinding {
  const lost = missing
    ? `o lacre de ${shortDate(day)} vai até o registro ${position}, e o histórico só até o ${last}`
    : `o registro ${position} não é o que o lacre de ${shortDate(day)} guardou`;
  const text = `${lost[0]!.toUpperCase()}${lost.slice(1)}`;
  if (!restore)
    return {
      outcome: 'alterado',
      text: `${text}: ${missing ? 'os mais novos foram apagados' : 'o histórico foi reescrito'}.`,
    };
  return {
    outcome: 'restaurado',
    text: `${text}. O banco foi restaurado de um backup anterior: o que foi registrado depois do backup se perdeu.`,
  };
}
