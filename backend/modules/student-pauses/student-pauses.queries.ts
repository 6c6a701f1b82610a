import { defineQuery } from '../../platform/database/define-query.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { dateOf } from '../../platform/local-time.js';
import { monthAfter } from '../../platform/months.js';
import { freshLink } from '../charges/charges.commands.js';
import { isDue, monthlyPlan } from '../charges/monthly-plan.js';
import { mostDays } from '../credits/deadlines.js';
import { hasNoSessionsOn, isPausedOn, studentPause } from '../away/student-pause.js';
import { MOST_NAMED, type NewPause, type PausePreview } from './student-pauses.api.js';
import { pause, sessionsUntil } from './student-pauses.commands.js';

export const PreviewPause = defineQuery(
  'PreviewPause',
  { store: EventStore, tokens: LinkTokens },
  async ({ context }, { store, tokens }, student_id: string, wanted: NewPause): Promise<PausePreview> =>
    store.rehearse(context, async (tx) => {
      const sessions = await sessionsUntil(tx, student_id, wanted.ate);
      const before = await tx.load(studentPause, student_id);
      const { dias, reabertas } = await pause(tx, { student_id, ...wanted }, () => freshLink(tokens));
      const [state, plan] = await Promise.all([
        tx.load(studentPause, student_id),
        tx.load(monthlyPlan, student_id),
      ]);
      const meses: string[] = [];
      if (plan)
        for (
          let mes = plan.primeiro_mes;
          isPausedOn(state, mes) && isDue({ ...plan, primeiro_mes: mes }, mes);
          mes = monthAfter(mes)
        )
          meses.push(mes);
      return {
        ...{ ...mostDays(dias), meses },
        sessoes: sessions.length,
        primeiras: sessions.slice(0, MOST_NAMED).map(({ inicio }) => inicio),
        horario_fixo: sessions.some(({ serie_id }) => serie_id !== null),
        cancelando: hasNoSessionsOn(before, dateOf(tx.now, context.timezone)),
        reabertas: reabertas.length,
      };
    }),
);
