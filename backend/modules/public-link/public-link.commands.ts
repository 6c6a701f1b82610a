import { addYears } from 'date-fns';
import { refuseChanged } from '../../platform/event-store/aggregate.js';
import { defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { shortDate } from '../../platform/portuguese.js';
import { existingLocation, location } from '../locations/location.js';
import { existingStudent, student } from '../students/student.js';
import type { BlockChange, LinkChange, SlugChange } from './public-link.api.js';
import { decideBlock, decideSet, publicLink } from './public-link.js';

export const SetPublicLink = defineCommand('SetPublicLink', async (tx, settings: LinkChange) => {
  const id = tx.context.tenantId;
  const [state, ...locations] = await Promise.all([
    tx.load(publicLink, id),
    ...(settings.locais ?? []).map((locationId) => tx.load(location, locationId)),
  ]);
  // A chosen location may have been removed since. It is not shown, but is shown again if it is restored.
  const added = locations.filter((_, at) => !state.locais?.includes(settings.locais![at]!));
  for (const each of added) existingLocation(each);
  tx.append(publicLink, id, decideSet(state, settings));
  return { id };
});

const CHANGE = 'select change_slug($1, $2, $3) as changed';
const ownSlugs = defineLookUp<{ slug: string; until: Date | null }, [now: Date]>(
  'select slug, until from slugs where tenant_id = $1 and (until is null or until > $2) order by until',
);
/** The most former addresses that stay reserved for one trainer, so that nobody can reserve many good names. */
const MOST_FORMER = 20;

/** The former address redirects for a year. */
export const ChangeSlug = defineCommand('ChangeSlug', async (tx, { slug, se_ainda }: SlugChange) => {
  const id = tx.context.tenantId;
  const [own] = await Promise.all([tx.lookUp(ownSlugs, tx.now), tx.load(publicLink, id)]);
  refuseChanged('O endereço', { slug: own.find(({ until }) => until === null)?.slug }, se_ainda);
  const known = own.find((each) => each.slug === slug);
  if (known?.until === null) return { id, slug };
  const former = own.flatMap(({ until }) => (until === null ? [] : [until]));
  if (!known && former.length >= MOST_FORMER) throw usedUp(former[0]!, tx.context.timezone);
  tx.inTransaction(async (query) => {
    const [row] = await query<{ changed: boolean }>(CHANGE, [slug, tx.now, addYears(tx.now, 1)]);
    if (!row!.changed)
      throw new Problem('public_link.slug_taken', {
        errors: [{ pointer: '/slug', detail: 'Este endereço já está em uso' }],
      });
  });
  tx.append(publicLink, id, [{ type: 'PublicSlugChanged', data: { slug } }]);
  return { id, slug };
});

function usedUp(oldestEnds: Date, zone: string): Problem {
  const day = shortDate(dateOf(oldestEnds, zone));
  const detail = `${MOST_FORMER} endereços antigos ainda levam até você. Volte a um deles ou espere até ${day}.`;
  return new Problem('public_link.slugs_used_up', { detail, errors: [{ pointer: '/slug', detail }] });
}

export const BlockVisitor = defineCommand(
  'BlockVisitor',
  async (tx, studentId: string, { bloqueado }: BlockChange) => {
    const { tenantId } = tx.context;
    const [state, who] = await Promise.all([tx.load(publicLink, tenantId), tx.load(student, studentId)]);
    if (bloqueado) existingStudent(who);
    tx.append(publicLink, tenantId, decideBlock(state, studentId, bloqueado));
    return { id: studentId };
  },
);
