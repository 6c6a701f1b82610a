import { addYears } from 'date-fns';
import { defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { ForgottenList } from '../../platform/event-store/forgotten-list.js';
import { Problem } from '../../platform/http/problem.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { refuseChanged } from '../../platform/event-store/aggregate.js';
import { dateOf } from '../../platform/local-time.js';
import { shortDate } from '../../platform/portuguese.js';
import { session } from '../sessions/session.js';
import { forget } from '../privacy/privacy.commands.js';
import { existingLocation, location } from '../locations/location.js';
import { existingStudent, student } from '../students/student.js';
import type { StrangersToForget, BlockChange, LinkChange, SlugChange } from './public-link.api.js';
import { strangersOf, unprojectedActs, type StrangerRow } from './strangers.loads.js';
import { visit } from './visit.js';
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

/**
 * Declines the bookings of people whom only visitors' bookings mention, and forgets these people. Cannot be undone. Whoever
 * is no stranger any more, such as by a confirmation in another window, is left out.
 */
export const ForgetStrangers = defineCommand(
  'ForgetStrangers',
  { outbox: Outbox, list: ForgottenList, hints: HintBus },
  async (tx, { outbox, list, hints }, { student_ids }: StrangersToForget) => {
    const [[behind], all] = await Promise.all([tx.lookUp(unprojectedActs), tx.lookUp(strangers, tx.now)]);
    if (behind) throw new Problem('busy');
    const wanted = all.filter(({ student_id }) => student_ids.includes(student_id));
    const done = await Promise.all(
      wanted.map(async ({ student_id, abertas }) => {
        const [states] = await Promise.all([
          Promise.all(abertas.map(({ session_id }) => tx.load(session, session_id))),
          ...abertas.map(({ visit_id }) => tx.load(visit, visit_id)),
        ]);
        // Confirmed by the visitor's link, which is no act of the trainer.
        if (states.some((state) => state?.confirmado)) return 0;
        for (const { visit_id, session_id } of abertas) {
          const data = { visit_id, session_id, student_id, mensagem: null };
          tx.append(visit, visit_id, [{ type: 'VisitDeclined', data }]);
        }
        await forget(tx, student_id, outbox, hints);
        tx.inTransaction(() => list.add(student_id, tx.now, tx.context));
        return abertas.length;
      }),
    );
    return { pessoas: done.length, reservas: done.reduce((sum, reservas) => sum + reservas, 0) };
  },
);

const strangers = defineLookUp<StrangerRow, [now: Date]>(strangersOf());
