import { defineQuery } from '../../platform/database/define-query.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { monthAfter } from '../../platform/months.js';
import { freshLink } from '../charges/charges.commands.js';
import { isDue, monthlyPlan } from '../charges/monthly-plan.js';
import { mostDays } from '../credits/deadlines.js';
import { isPausedOn, studentPause } from '../away/student-pause.js';
import type { NewPause, PausePreview } from './student-pauses.api.js';
import { pause } from './student-pauses.commands.js';

export const PreviewPause = defineQuery(
  'PreviewPause',
  { store: EventStore, tokens: LinkTokens },
  async ({ context }, { store, tokens }, student_id: string, wanted: NewPause): Promise<PausePreview> =>
    store.rehearse(context, async (tx) => {
      const days = await pause(tx, { student_id, ...wanted }, () => freshLink(tokens));
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
      return { ...mostDays(days), meses };
    }),
);
