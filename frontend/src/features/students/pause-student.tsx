import { Button, Radio } from '@mantine/core';
import '@mantine/core/styles/Radio.layer.css';
import { useState } from 'react';
import type { KnownStudent } from '../../../../backend/modules/students/students.api.js';
import {
  newPause,
  type NewPause,
  type PauseChanged,
  type PausedSessions,
  type PausePreview,
} from '../../../../backend/modules/student-pauses/student-pauses.api.js';
import { firstName } from '../../../../backend/platform/first-name.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { read } from '../../lib/calls.js';
import { useSend } from '../../lib/command.js';
import { type Day, formatDate, formatMoment, formatMonth, monthOf } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { useToday, useZone } from '../../lib/zone.js';
import { FormStack, submitting } from '../../ui/form.js';
import { DateField } from '../../ui/date-field.js';
import { IconAction } from '../../ui/icon-actions.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import { ToldBox } from '../../ui/told-box.js';
import classes from './student-page.module.css';
import { usePausePreview } from './students.queries.js';
import { UndoSheet } from '../../parts/undo-sheet.js';
import { whatsAppOf } from '../../parts/whatsapp.js';

/**
 * Pauses a student: no credits expire, and no month is billed; asks what becomes of the sessions. During a pause, has a button to end
 * it.
 */
export function PauseStudent({ student }: { student: KnownStudent }) {
  const { id, pausado_ate } = student;
  const [opened, setOpened] = useState(false);
  const [isEnding, setEnding] = useState(false);
  const zone = useZone();
  const pause = useSend('PUT /students/:id/pause', id);

  const first = firstName(student.nome);
  /** The toast of a change, which offers to tell the student. */
  const told = (ate: Day | null, done: PauseChanged) => {
    const href = whatsAppOf(student, pauseMessage(first, { ...done, ate }, zone));
    return {
      description: inWords(done),
      tell: href ? [{ label: `Avisar ${first}`, href }] : [],
      undo: () =>
        attempt(
          () =>
            pause.mutateAsync({
              ate: pausado_ate,
              se_ainda: { ate },
              ...(done.mudanca_id && { mudanca_id: done.mudanca_id }),
            }),
          'Erro ao desfazer',
        ),
    };
  };
  const end = () =>
    attempt(async () => {
      const done = await pause.mutateAsync({ ate: null });
      toast.success('Pausa encerrada', { ...told(null, done), undone: 'Aluno pausado de novo' });
    }, 'Erro ao encerrar a pausa');
  const save = async (change: NewPause & { sessoes: PausedSessions }) => {
    const done = await pause.mutateAsync(change);
    setOpened(false);
    toast.success(`Aluno pausado até ${formatDate(change.ate)}`, {
      ...told(change.ate, done),
      undone: 'Alteração desfeita',
    });
  };

  return (
    <>
      <IconAction icon="clock" onClick={() => setOpened(true)}>
        {pausado_ate ? 'Mudar pausa' : 'Pausar'}
      </IconAction>
      {pausado_ate && (
        <IconAction icon="renew" onClick={() => setEnding(true)}>
          Retomar agora
        </IconAction>
      )}
      {isEnding && (
        <UndoSheet
          what="Retomar agora"
          of={id}
          price={(signal) => read('GET /students/:id/pause/end/preview', { of: [id], signal })}
          onUndo={end}
          onClose={() => setEnding(false)}
        />
      )}
      <Sheet
        opened={opened}
        onClose={() => setOpened(false)}
        title={`${pausado_ate ? 'Pausa de' : 'Pausar'} ${student.nome}`}
        beginsAtField="typed"
        middle
        withoutAddress
      >
        <PauseForm id={id} pausedUntil={pausado_ate} save={save} />
      </Sheet>
    </>
  );
}

/** What a change did with sessions; undefined if nothing. */
function inWords({ canceladas, reabertas, fora }: PauseChanged): string | undefined {
  const words = [
    canceladas.length > 0 && plural(canceladas.length, 'sessão cancelada', 'sessões canceladas'),
    reabertas.length > 0 && plural(reabertas.length, 'sessão voltou à agenda', 'sessões voltaram à agenda'),
    fora > 0 && `${plural(fora, 'não voltou', 'não voltaram')}: o horário foi ocupado ou a sessão mudou`,
  ].filter(Boolean);
  return words.length > 0 ? `${words.join(', ')}.` : undefined;
}

interface PauseFormProps {
  id: string;
  pausedUntil: Day | null;
  save: (change: NewPause & { sessoes: PausedSessions }) => Promise<void>;
}

function PauseForm({ id, pausedUntil, save }: PauseFormProps) {
  const today = useToday();
  /** Null until it is chosen: then as the current pause does. */
  const [chosen, setChosen] = useState<PausedSessions | null>(null);
  const form = useBodyForm({
    initialValues: { ate: pausedUntil ?? '' },
    schema: newPause,
    toBody: (values) => values,
  });
  const { ate } = form.values;
  const isDay = newPause.safeParse({ ate }).success && ate >= today;
  const { data: announced, isLoading } = usePausePreview(id, isDay ? ate : null);
  const sessoes = chosen ?? (announced?.cancelando ? 'cancelar' : 'manter');
  return (
    <FormStack
      form={form}
      onSubmit={submitting(form, {
        save: (body) => save({ ...body, sessoes }),
        failure: 'Erro ao pausar aluno',
      })}
    >
      <DateField
        label="Até quando"
        description={pausedUntil ? 'Último dia da pausa.' : 'Último dia da pausa, que começa hoje.'}
        {...form.getInputProps('ate')}
      />
      {announced && announced.sessoes > 0 && (
        <SessionsChoice announced={announced} value={sessoes} onChange={setChosen} />
      )}
      <ToldBox>
        <p>{announced ? daysMoved(announced) : 'Os créditos não vencem na pausa.'}</p>
        <p>{announced ? unbilled(announced) : 'Nenhuma mensalidade é cobrada na pausa.'}</p>
        <p>
          {announced
            ? ofSessions(announced, sessoes)
            : 'Se houver sessões agendadas na pausa, você escolhe o que fazer com elas.'}
        </p>
      </ToldBox>
      <SheetActions>
        <Button type="submit" loading={form.submitting} disabled={isLoading}>
          {pausedUntil ? 'Salvar' : 'Pausar'}
        </Button>
      </SheetActions>
    </FormStack>
  );
}

interface SessionsChoiceProps {
  announced: PausePreview;
  value: PausedSessions;
  onChange: (value: PausedSessions) => void;
}

/** The sessions in the pause, the first ones by day and hour, and whether they stay. */
function SessionsChoice({ announced: { sessoes, primeiras }, value, onChange }: SessionsChoiceProps) {
  const zone = useZone();
  const more = sessoes - primeiras.length;
  const which = sessoes === 1 ? 'a sessão' : `as ${plural(sessoes, 'sessão', 'sessões')}`;
  return (
    <Radio.Group label={`O que fazer com ${which} da pausa?`} value={value} onChange={onChange}>
      <ul className={classes.inPause}>
        {primeiras.map((inicio) => (
          <li key={inicio}>{formatMoment(inicio, zone)}</li>
        ))}
        {more > 0 && <li>{`e mais ${more}`}</li>}
      </ul>
      <Radio
        classNames={choice}
        value="manter"
        label={sessoes === 1 ? 'Manter a sessão' : 'Manter as sessões'}
      />
      <Radio classNames={choice} value="cancelar" label={`Cancelar ${which}`} />
    </Radio.Group>
  );
}

const choice = { body: classes.choice, label: classes.choiceLabel };

function ofSessions({ sessoes, horario_fixo, reabertas }: PausePreview, chosen: PausedSessions): string {
  const cancelled = [
    'O cancelamento não custa nada ao aluno.',
    horario_fixo && 'O horário fixo continua depois da pausa.',
  ];
  const words = [
    sessoes === 0 && 'Nenhuma sessão agendada na pausa.',
    ...(sessoes > 0 && chosen === 'cancelar' ? cancelled : []),
    sessoes > 0 &&
      chosen === 'manter' &&
      (sessoes === 1 ? 'A sessão continua na agenda.' : 'As sessões continuam na agenda.'),
    reabertas > 0 &&
      `${plural(reabertas, 'sessão cancelada pela pausa volta', 'sessões canceladas pela pausa voltam')} à agenda.`,
  ];
  return words.filter(Boolean).join(' ');
}

function daysMoved({ dias, dias_iguais }: PausePreview): string {
  if (dias === 0) return 'Nenhum crédito ganha dias de validade.';
  const days = `${dias_iguais ? '' : 'até '}${plural(Math.abs(dias), 'dia', 'dias')}`;
  return `Os créditos com validade ${dias > 0 ? 'ganham' : 'perdem'} ${days}.`;
}

function unbilled({ meses }: PausePreview): string {
  if (meses.length === 0) return 'Nenhuma mensalidade deixa de ser cobrada.';
  if (meses.length > 3) return `${meses.length} mensalidades não são cobradas.`;
  const named = new Intl.ListFormat('pt-BR').format(meses.map((first) => formatMonth(monthOf(first))));
  return meses.length === 1
    ? `A mensalidade de ${named} não é cobrada.`
    : `As mensalidades de ${named} não são cobradas.`;
}

/** The most classes that a message names; the others are counted. */
const MOST_NAMED = 10;

type Changed = Pick<PauseChanged, 'canceladas' | 'reabertas'> & { ate: Day | null };

/** Tells a student until when the pause is, or that it is over, and what became of the classes. */
export function pauseMessage(first: string, { ate, canceladas, reabertas }: Changed, zone: string): string {
  const listed = (one: string, many: string, starts: readonly string[]) => {
    const [first, ...others] = starts.map((start) => formatMoment(start, zone));
    if (first === undefined) return [];
    if (others.length === 0) return [`${one} ${first}.`];
    const named = [first, ...others.slice(0, MOST_NAMED - 1)];
    const more = starts.length - named.length;
    return [many, ...named.map((when) => `• ${when}`), ...(more > 0 ? [`• e mais ${more}`] : [])];
  };
  return [
    `Oi, ${first}! ${ate === null ? 'Sua pausa acabou.' : `Sua pausa vai até ${formatDate(ate)}.`}`,
    ...listed('Desmarquei a nossa aula de', 'Desmarquei as nossas aulas:', canceladas),
    ...listed('Voltou à agenda a nossa aula de', 'Voltaram à agenda as nossas aulas:', reabertas),
  ].join('\n');
}
