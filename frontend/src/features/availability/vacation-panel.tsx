import { Button, Checkbox, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { useState } from 'react';
import { plural } from '../../../../backend/platform/plural.api.js';
import {
  daysOf,
  MOST_WEEKS,
  newVacation,
  type HitSession,
  type NewVacation,
  type Vacation,
  type VacationUndone,
} from '../../../../backend/modules/vacations/vacations.api.js';
import { read } from '../../lib/calls.js';
import { useSend, useSendTo } from '../../lib/command.js';
import { formatDate, formatMoment, parseDate } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { messageOf } from '../../lib/problem.js';
import { useZone } from '../../lib/zone.js';
import { UndoButton } from '../../parts/undo-sheet.js';
import { Card, ItemCard } from '../../ui/card.js';
import { DateField } from '../../ui/date-field.js';
import { FieldPair, FormStack, submitting } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { SheetActions } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import classes from './availability.module.css';
import { wrongDay } from './clock.js';
import {
  useUndoVacation,
  useVacationMessages,
  useVacationPreview,
  useVacations,
} from './availability.queries.js';

const weekChoices = Array.from({ length: MOST_WEEKS }, (_, at) => ({
  value: String(at + 1),
  label: plural(at + 1, 'semana', 'semanas'),
}));

const range = ({ start_date, end_date }: Pick<Vacation, 'start_date' | 'end_date'>) =>
  `${formatDate(start_date)} a ${formatDate(end_date)}`;

/** Activates a vacation, shows the affected students, and lists active vacations. */
export default function VacationPanel() {
  const vacations = useVacations();
  /** Id of the vacation whose messages are shown. */
  const [told, setTold] = useState<string | null>(null);
  if (told !== null) return <Messages vacationId={told} onBack={() => setTold(null)} />;
  return (
    <div className={classes.panel}>
      <VacationForm
        onActivated={setTold}
        // The messages announce changes that were undone.
        onUndone={(id) => setTold((shown) => (shown === id ? null : shown))}
      />
      <Async of={vacations} skeleton={<Skeletons count={1} />}>
        {({ items }) =>
          items.length > 0 && (
            <Section title="Férias ativas">
              {items.map((vacation) => (
                <ActiveVacation key={vacation.id} vacation={vacation} onTell={() => setTold(vacation.id)} />
              ))}
            </Section>
          )
        }
      </Async>
    </div>
  );
}

interface VacationFormProps {
  onActivated: (vacationId: string) => void;
  onUndone: (vacationId: string) => void;
}

function VacationForm({ onActivated, onUndone }: VacationFormProps) {
  const activate = useSend('POST /vacations');
  const undo = useUndoVacation();
  const form = useBodyForm({
    initialValues: {
      start_date: '',
      end_date: '',
      description: '',
      moves: false,
      /** Null: as many as the vacation needs. */
      chosenWeeks: null as number | null,
      /** Ids of sessions that are not changed. */
      kept: [] as string[],
    },
    schema: newVacation,
    toBody: (values) => ({
      start_date: parseDate(values.start_date),
      end_date: parseDate(values.end_date),
      description: values.description || null,
      ...decisions(sessions, new Set(values.kept), values.moves),
      ...(values.moves && { semanas: weeks }),
    }),
    check: ({ start_date, end_date }) => ({
      ...(wrongDay(start_date) && { start_date: wrongDay(start_date) }),
      ...(wrongDay(end_date) && { end_date: wrongDay(end_date) }),
    }),
    draft: 'ferias',
  });
  const { start_date, end_date, moves, chosenWeeks } = form.values;
  const kept: ReadonlySet<string> = new Set(form.values.kept);
  const [first, last] = [parseDate(start_date), parseDate(end_date)];
  // With fewer weeks, sessions would be moved into the vacation itself.
  const clear: number = first && last && first <= last ? Math.ceil(daysOf(first, last) / 7) : 1;
  const weeks: number = chosenWeeks ?? Math.min(clear, MOST_WEEKS);
  const asked =
    first && last && first <= last
      ? { start_date: first, end_date: last, semanas: moves ? weeks : null }
      : null;
  const preview = useVacationPreview(asked);
  const hit = asked ? preview.data : undefined;
  const sessions: readonly HitSession[] = hit?.sessoes ?? [];

  const save = async (vacation: NewVacation) => {
    const { id } = await activate.mutateAsync(vacation);
    toast.success('Modo férias ativado', {
      description: `Período bloqueado: ${range(vacation)}`,
      undo: () =>
        attempt(async () => {
          sayUndone(await undo.mutateAsync(id));
          onUndone(id);
        }, 'Erro ao desfazer'),
      undone: null,
    });
    if (vacation.cancelar.length + vacation.mover.length > 0) onActivated(id);
    form.discard();
  };

  return (
    <FormStack
      form={form}
      onSubmit={(event) => {
        if (first && last && first > last)
          toast.error('Datas inválidas', {
            description: 'A data de início deve ser anterior à data de término.',
          });
        submitting(form, {
          save,
          failure: 'Erro ao ativar férias',
          missing: 'Preencha as datas de início e término.',
        })(event);
      }}
    >
      <Quiet>
        Durante um período bloqueado, alunos e visitantes não conseguem agendar. Você ainda consegue, com
        “Agendar mesmo assim”.
      </Quiet>
      <FieldPair>
        <DateField label="Data de início" {...form.getInputProps('start_date')} />
        <DateField label="Data de término" {...form.getInputProps('end_date')} />
      </FieldPair>
      <TextInput label="Descrição" {...form.getInputProps('description')} />
      {asked && preview.isError && (
        <p className={classes.failed} role="alert">
          {messageOf(preview.error)}
        </p>
      )}
      {hit && (
        <Quiet role="status">
          {sessions.length === 0
            ? 'Nenhuma sessão agendada nesses dias.'
            : `${plural(sessions.length, 'sessão agendada', 'sessões agendadas')} nesses dias.`}
          {hit.alunos_com_creditos > 0 &&
            ` Os créditos de ${plural(hit.alunos_com_creditos, 'aluno', 'alunos')} ganham ${hit.dias_iguais ? '' : 'até '}${plural(hit.dias, 'dia', 'dias')} de validade.`}
        </Quiet>
      )}
      {sessions.length > 0 && (
        <>
          <SegmentedControl
            aria-label="O que fazer com as sessões"
            value={moves ? 'mover' : 'cancelar'}
            onChange={(value) => form.setFieldValue('moves', value === 'mover')}
            data={[
              { value: 'cancelar', label: 'Cancelar' },
              { value: 'mover', label: 'Remarcar' },
            ]}
          />
          {moves && (
            <NativeSelect
              label="Quantas semanas depois"
              data={weekChoices}
              value={String(weeks)}
              onChange={(event) => form.setFieldValue('chosenWeeks', Number(event.currentTarget.value))}
            />
          )}
          <ul className={classes.sessions}>
            {sessions.map((session) => (
              <SessionChoice
                key={session.id}
                session={session}
                moves={moves}
                isKept={kept.has(session.id)}
                onKeep={(keep) =>
                  form.setFieldValue('kept', [
                    ...form.values.kept.filter((id) => id !== session.id),
                    ...(keep ? [session.id] : []),
                  ])
                }
              />
            ))}
          </ul>
        </>
      )}
      <SheetActions>
        <Button
          type="submit"
          loading={form.submitting}
          disabled={asked !== null && (preview.isFetching || preview.isError)}
        >
          Ativar férias
        </Button>
      </SheetActions>
    </FormStack>
  );
}

const sayUndone = ({ bloqueadas }: VacationUndone) =>
  toast.success('Férias desfeitas', {
    description:
      bloqueadas === 0
        ? 'Sessões e créditos estão como antes.'
        : `Sessões e créditos estão como antes. ${plural(bloqueadas, 'sessão voltou em horário bloqueado', 'sessões voltaram em horário bloqueado')}.`,
  });

const isImpeded = ({ destino }: HitSession, moves: boolean) => moves && Boolean(destino?.impedimento);

/** What happens to each session; one that cannot be moved is not changed. */
function decisions(sessions: readonly HitSession[], kept: ReadonlySet<string>, moves: boolean) {
  const stays = (session: HitSession) => kept.has(session.id) || isImpeded(session, moves);
  const chosen = sessions.filter((session) => !stays(session)).map(({ id }) => id);
  return {
    cancelar: moves ? [] : chosen,
    mover: moves ? chosen : [],
    manter: sessions.filter(stays).map(({ id }) => id),
  };
}

interface SessionChoiceProps {
  session: HitSession;
  moves: boolean;
  isKept: boolean;
  onKeep: (keep: boolean) => void;
}

function SessionChoice({ session, moves, isKept, onKeep }: SessionChoiceProps) {
  const zone = useZone();
  const { student_nome, inicio, destino } = session;
  const impeded = isImpeded(session, moves);
  const changed = moves
    ? destino && `remarcada para ${formatMoment(destino.inicio, zone)}`
    : 'será cancelada';
  return (
    <li>
      <Checkbox
        classNames={{ body: classes.session, label: classes.sessionLabel }}
        checked={!isKept && !impeded}
        disabled={impeded}
        onChange={(event) => onKeep(!event.currentTarget.checked)}
        label={
          <>
            {student_nome ?? 'Aluno apagado'}
            <span className={classes.becomes}>
              {formatMoment(inicio, zone)} ·{' '}
              {impeded
                ? `${destino?.impedimento}: será mantida na agenda`
                : isKept
                  ? 'será mantida na agenda'
                  : changed}
            </span>
          </>
        }
      />
    </li>
  );
}

function ActiveVacation({ vacation, onTell }: { vacation: Vacation; onTell: () => void }) {
  const removal = useSendTo('DELETE /vacations/:id');
  const restoration = useSendTo('POST /vacations/:id/restore');
  const undo = useUndoVacation();
  const { id, description, canceladas, movidas, pode_desfazer } = vacation;
  const hit = canceladas + movidas;
  const remove = () =>
    attempt(async () => {
      await removal.mutateAsync(id);
      toast.success('Período removido', {
        description: 'O bloqueio foi desativado.',
        ...takenBack(() => restoration.mutateAsync(id), 'Remoção desfeita'),
      });
    }, 'Erro');
  const undoAll = () =>
    attempt(async () => {
      sayUndone(await undo.mutateAsync(id));
    }, 'Erro ao desfazer');
  const facts = [
    description,
    canceladas > 0 && plural(canceladas, 'sessão cancelada', 'sessões canceladas'),
    movidas > 0 && plural(movidas, 'sessão remarcada', 'sessões remarcadas'),
  ];
  return (
    <ItemCard
      title={range(vacation)}
      subtitle={facts.filter(Boolean).join(' · ')}
      actions={
        <div className={classes.actions}>
          {hit > 0 && (
            <Button size="sm" variant="default" leftSection={<Icon name="chat" size={18} />} onClick={onTell}>
              Avisar alunos
            </Button>
          )}
          {pode_desfazer && (
            <UndoButton
              size="sm"
              variant="default"
              what="Desfazer tudo"
              of={id}
              price={(signal) => read('GET /vacations/:id/undo/preview', { of: [id], signal })}
              onUndo={undoAll}
            />
          )}
          <Button size="sm" variant="subtle" loading={removal.isPending} onClick={() => void remove()}>
            Remover
          </Button>
        </div>
      }
    />
  );
}

/** A message for each affected student, ready to be sent. */
function Messages({ vacationId, onBack }: { vacationId: string; onBack: () => void }) {
  const messages = useVacationMessages(vacationId);
  return (
    <div className={classes.panel}>
      <Async of={messages} skeleton={<Skeletons count={2} height={120} />}>
        {({ items }) => (
          <Section title="Avisar alunos">
            {items.map(({ student_id, nome, texto, link }) => (
              <Card key={student_id}>
                <strong>{nome}</strong>
                <p className={classes.message}>{texto}</p>
                {link ? (
                  <Button
                    component="a"
                    href={link}
                    target="_blank"
                    rel="noreferrer"
                    variant="light"
                    leftSection={<Icon name="chat" size={18} />}
                  >
                    Enviar pelo WhatsApp
                  </Button>
                ) : (
                  <Quiet>Sem WhatsApp no cadastro.</Quiet>
                )}
              </Card>
            ))}
          </Section>
        )}
      </Async>
      <SheetActions onBack={onBack} />
    </div>
  );
}
