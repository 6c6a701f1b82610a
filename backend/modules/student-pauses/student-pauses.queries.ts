import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { monthAfter } from '../../platform/months.js';
import { MakeChargeLinks } from '../charges/charges.queries.js';
import { isDue, monthlyPlan } from '../charges/monthly-plan.js';
import { mostDays } from '../credits/deadlines.js';
import { isPausedOn, studentPause } from './student-pause.js';
import type { NewPause, PausePreview } from './student-pauses.api.js';
import { pause } from './student-pauses.commands.js';

export class PreviewPause extends Query<PausePreview> {
  constructor(
    readonly context: RequestContext,
    readonly studentId: string,
    readonly wanted: NewPause,
  ) {
    super();
  }
}

@QueryHandler(PreviewPause)
export class PreviewPauseHandler implements IQueryHandler<PreviewPause> {
  constructor(
    private readonly store: EventStore,
    private readonly queries: QueryBus,
  ) {}

  async execute(query: PreviewPause): Promise<PausePreview> {
    const { studentId: student_id, wanted } = query;
    const freshLink = await this.queries.execute(new MakeChargeLinks());
    return this.store.rehearse(query, async (tx) => {
      const days = await pause(tx, { student_id, ...wanted }, freshLink);
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
    });
  }
}
