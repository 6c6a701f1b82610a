import { plural } from '../../../../backend/platform/plural.api.js';
import type {
  SeriesCancelled,
  SeriesChanges,
  SeriesDone,
  SeriesScope,
} from '../../../../backend/modules/series/series.api.js';
import { codeOf, messageOf } from '../../lib/problem.js';
import { useToday, useZone } from '../../lib/zone.js';
import { useTell } from '../../parts/use-tell.js';
import { toast } from '../../ui/toast.js';
import { askImpeded, askScope } from './scope.js';
import type { ShownSession } from './pending-session.js';
import { movedMessage, seriesMessage, sessionMessage } from './session-message.js';
import { sessionsOf, type SeriesStep, useSeriesStep, useUndoSeries } from './series.queries.js';

type Changes = Omit<SeriesChanges, 'escopo'>;
type Others = { [Step in SeriesStep as Step['step']]: Step['body'] };

const said = {
  change: 'Horário fixo atualizado',
  cancel: 'Horário fixo cancelado',
  delete: 'Horário fixo excluído',
  students: 'Aluno adicionado ao horário fixo',
} as const;
const undone = {
  change: 'Alteração desfeita',
  cancel: 'Cancelamento desfeito',
  delete: 'Exclusão desfeita',
  students: 'Agendamento desfeito',
} as const;

/** The result: `alone`: the caller still has to change only this session; `done`: it was changed with others; or cancelled. */
export type Outcome = 'alone' | 'done' | 'nothing';

/** Asks to which sessions of a series a change applies, and makes it if there are several. Throws refusals of the server. */
export function useSeriesChange() {
  const { mutateAsync } = useSeriesStep();
  const undo = useUndoSeries();
  const tell = useTell();
  const now = { today: useToday(), zone: useZone() };

  /** The links that tell the students of what is cancelled: of their weekly hours, and of each other session. */
  const tellLost = async (session: ShownSession, ids: readonly string[]) => {
    const lost = await sessionsOf(session, ids);
    const links = lost.map((one) =>
      tell([one.student_id], (name) =>
        one.serie_id === null
          ? sessionMessage({ ...one, status: 'cancelada' }, name, now)
          : seriesMessage(one, 'ended', name, now)!,
      ),
    );
    return (await Promise.all(links)).flat();
  };

  /** The links that tell the students of a change, if they need to know of it. Who comes to this hour alone has only this session. */
  const tellOf = async (session: ShownSession, step: Exclude<SeriesStep['step'], 'cancel'>, body: object) => {
    const to = step === 'change' ? (body as Changes) : step === 'students' ? 'joined' : 'ended';
    if (seriesMessage(session, to, '', now) === null) return [];
    const said = (ids: readonly string[]) => tell(ids, (name) => seriesMessage(session, to, name, now)!);
    if (step === 'students') return said((body as Others['students']).student_ids);
    const coming = session.membros?.filter(({ status }) => status === 'agendada') ?? [session];
    const [fixed, guests] = [true, false].map((isFixed) =>
      coming.filter(({ serie_id }) => (serie_id !== null) === isFixed).map(({ student_id }) => student_id),
    ) as [string[], string[]];
    const { inicio = session.inicio, fim = session.fim } = body as Changes;
    const isMoved = inicio !== session.inicio || fim !== session.fim;
    const own = (name: string) => movedMessage(session, { inicio, fim }, name, now);
    return [...(await said(fixed)), ...(isMoved ? await tell(guests, own) : [])];
  };

  const say = async (
    session: ShownSession,
    step: SeriesStep['step'],
    body: object,
    done: SeriesDone | SeriesCancelled,
    isNew = false,
  ) =>
    toast.success(said[step], {
      tell: await (step === 'cancel'
        ? tellLost(session, (done as SeriesCancelled).session_ids)
        : tellOf(session, step, body)),
      description: [
        plural(done.sessoes, 'sessão', 'sessões'),
        done.puladas > 0 &&
          (isNew
            ? plural(done.puladas, 'data pulada', 'datas puladas')
            : plural(done.puladas, 'ficou como estava', 'ficaram como estavam')),
      ]
        .filter(Boolean)
        .join(', '),
      undo: () => undo(done),
      undone: undone[step],
    });

  /** Returns false if the user cancels. */
  const change = async (session: ShownSession, escopo: SeriesScope, body: Changes): Promise<boolean> => {
    const { id } = session;
    const isNew = body.dias !== undefined;
    try {
      await say(session, 'change', body, await mutateAsync({ id, escopo, step: 'change', body }), isNew);
      return true;
    } catch (error) {
      if (codeOf(error) !== 'series.times_taken' || body.impedidas) throw error;
      const impedidas = await askImpeded(messageOf(error), isNew);
      return impedidas !== null && change(session, escopo, { ...body, impedidas });
    }
  };

  return async <Step extends keyof Others>(
    session: ShownSession,
    verb: string,
    step: Step,
    body: Others[Step],
  ): Promise<Outcome> => {
    const escopo = await askScope(session, verb, 'dias' in body);
    if (escopo === null) return 'nothing';
    if (escopo === 'esta') return 'alone';
    if (step === 'change') return (await change(session, escopo, body as Changes)) ? 'done' : 'nothing';
    await say(session, step, body, await mutateAsync({ id: session.id, escopo, step, body } as SeriesStep));
    return 'done';
  };
}

export type SeriesChange = ReturnType<typeof useSeriesChange>;
