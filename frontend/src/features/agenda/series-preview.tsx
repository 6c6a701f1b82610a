import { Button, Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { useState } from 'react';
import type { NewSession } from '../../../../backend/modules/agenda/agenda.api.js';
import type { Recurrence, SeriesPreview } from '../../../../backend/modules/series/series.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useSend } from '../../lib/command.js';
import { formatDay, formatTime, timeOf } from '../../lib/dates.js';
import { codeOf, messageOf } from '../../lib/problem.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Quiet } from '../../ui/quiet.js';
import { SheetActions } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { type Tell, toast } from '../../ui/toast.js';
import { useSeriesPreview, useUndoSeries } from './series.queries.js';
import { Folded } from '../../ui/folded.js';
import classes from './session-form.module.css';

/** The input of a new series: its students, first session and recurrence. */
export interface SeriesWish {
  student_ids: string[];
  session: Pick<NewSession, 'location_id' | 'service_id' | 'observacoes'>;
  recurrence: Recurrence;
}

/** The first session of a booked series, and its days and time in words. */
export interface SeriesStart {
  inicio: string;
  words: string;
}

interface SeriesPreviewProps {
  wish: SeriesWish;
  /** The links that tell the students of the series. */
  tell: (start: SeriesStart) => Promise<Tell[]>;
  onBack: () => void;
  onDone: () => void;
}

/** The preview of a series: its dates, obstacles, and the choice for each date with an obstacle. */
export default function SeriesPreviewPanel({ wish, ...props }: SeriesPreviewProps) {
  const preview = useSeriesPreview(wish.recurrence);
  return (
    <Async of={preview} skeleton={<Skeletons count={3} height={72} />}>
      {(data) => <Decisions wish={wish} preview={data} again={() => void preview.refetch()} {...props} />}
    </Async>
  );
}

/** The obstacle of most dates. */
function obstacleOfMost(dates: SeriesPreview['sessoes']): string | undefined {
  const found = dates.flatMap(({ obstaculos }) => obstaculos.map(({ texto }) => texto));
  const times = (texto: string) => found.filter((other) => other === texto).length;
  return found.toSorted((one, other) => times(other) - times(one))[0];
}

function Decisions({
  wish,
  tell,
  preview,
  again,
  onBack,
  onDone,
}: SeriesPreviewProps & { preview: SeriesPreview; again: () => void }) {
  const zone = useZone();
  const today = useToday();
  const start = useSend('POST /series');
  const undo = useUndoSeries();
  /** Dates that are booked despite an obstacle. */
  const [anyway, setAnyway] = useState<ReadonlySet<string>>(new Set());
  const { texto, tem_fim, sessoes } = preview;
  const impeded = sessoes.filter(({ obstaculos }) => obstaculos.length > 0);
  const free = sessoes.filter(({ obstaculos }) => obstaculos.length === 0);
  const fitsNowhere = free.length === 0 && impeded.length > 0;
  const count = free.length + impeded.filter(({ data }) => anyway.has(data)).length;
  const [student_id, ...outros_alunos] = wish.student_ids;
  /** Number of sessions of all students together. */
  const all = plural(count * wish.student_ids.length, 'sessão', 'sessões');
  const when = ({ data, inicio }: { data: string; inicio: string }) =>
    `${formatDay(data, today)}, ${formatTime(timeOf(inicio, zone))}`;

  const toggle = (data: string) => {
    const next = new Set(anyway);
    if (!next.delete(data)) next.add(data);
    setAnyway(next);
  };

  const book = async () => {
    const dates = impeded.map(({ data }) => data);
    if (student_id === undefined) return;
    try {
      const done = await start.mutateAsync({
        student_id,
        outros_alunos,
        ...wish.session,
        ...wish.recurrence,
        pular: dates.filter((data) => !anyway.has(data)),
        mesmo_assim: dates.filter((data) => anyway.has(data)),
      });
      const first = sessoes.find((one) => !impeded.includes(one) || anyway.has(one.data))!;
      const told = await tell({ inicio: first.inicio, words: texto });
      onDone();
      toast.success('Horário fixo agendado', {
        tell: told,
        description: `${texto}: ${plural(done.sessoes, 'sessão', 'sessões')}`,
        undo: () => undo(done),
        undone: 'Agendamento desfeito',
      });
    } catch (error) {
      if (codeOf(error) === 'series.agenda_changed') again();
      toast.error('Erro ao agendar o horário fixo', { description: messageOf(error) });
    }
  };

  return (
    <div className={classes.panel}>
      <div role="status">
        <p className={classes.words}>{texto}</p>
        {fitsNowhere && <Quiet>Nenhuma cabe: {obstacleOfMost(impeded)}.</Quiet>}
        {count > 0 && (
          <Quiet>
            {outros_alunos.length > 0 &&
              `${plural(count, 'data', 'datas')} para ${plural(wish.student_ids.length, 'aluno', 'alunos')}: `}
            {all}
            {count < sessoes.length && `, ${plural(sessoes.length - count, 'data pulada', 'datas puladas')}`}
            {!tem_fim && '. As próximas entram na agenda sozinhas, sempre 12 semanas à frente.'}
          </Quiet>
        )}
      </div>
      {impeded.length > 0 && <Quiet>Marque as datas que você quer agendar mesmo assim.</Quiet>}
      {impeded.length > 0 && (
        <ul className={classes.dates} aria-label="Datas com conflito">
          {impeded.length > 1 && (
            <li>
              <Checkbox
                label={`Agendar todas as ${impeded.length} mesmo assim`}
                checked={anyway.size === impeded.length}
                indeterminate={anyway.size > 0 && anyway.size < impeded.length}
                onChange={({ currentTarget: { checked } }) =>
                  setAnyway(new Set(checked ? impeded.map(({ data }) => data) : []))
                }
              />
            </li>
          )}
          {impeded.map((session) => (
            <li key={session.data}>
              <Checkbox
                label={when(session)}
                description={`${session.obstaculos.map(({ texto: words }) => words).join(' · ')}. ${
                  anyway.has(session.data) ? 'Agendar mesmo assim.' : 'Será pulada.'
                }`}
                checked={anyway.has(session.data)}
                onChange={() => toggle(session.data)}
              />
            </li>
          ))}
        </ul>
      )}
      {free.length > 0 && (
        <Folded title={plural(free.length, 'data livre', 'datas livres')}>
          <ul className={classes.free}>
            {free.map((session) => (
              <li key={session.data}>{when(session)}</li>
            ))}
          </ul>
        </Folded>
      )}
      <SheetActions onBack={onBack}>
        <Button loading={start.isPending} disabled={count === 0} onClick={() => void book()}>
          Agendar {count > 0 && all}
        </Button>
      </SheetActions>
    </div>
  );
}
