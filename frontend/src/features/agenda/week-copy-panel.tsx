import { Button, Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { finalObstacles, type WeekCopyPreview } from '../../../../backend/modules/agenda/week-copy.api.js';
import { firstName } from '../../../../backend/platform/first-name.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { read } from '../../lib/calls.js';
import { useSend } from '../../lib/command.js';
import {
  addDays,
  formatDate,
  formatMoment,
  formatTime,
  parseDate,
  startOfWeek,
  timeOf,
} from '../../lib/dates.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Notice } from '../../ui/notice.js';
import { SheetActions } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import type { Booked } from '../../parts/booked-message.js';
import { readAll, STUDENTS } from '../../parts/students.queries.js';
import { whatsAppOf } from '../../parts/whatsapp.js';
import { MessageCard } from '../../ui/message-card.js';
import { Section } from '../../ui/page.js';
import { SESSIONS } from './session-reads.js';
import { sharedName } from './shared-hours.js';
import { copiedMessage } from './session-message.js';
import classes from './session-form.module.css';

type Hour = WeekCopyPreview['items'][number];

const keyOf = ({ session_ids }: Hour) => session_ids.join();
const isFinal = ({ obstaculos }: Hour) => obstaculos.some(({ tipo }) => finalObstacles.includes(tipo));

/** Copies the shown week to the next one: the user selects hours, which are booked together. */
export default function WeekCopyPanel() {
  const [search, setSearch] = useSearchParams();
  const today = useToday();
  const semana = startOfWeek(parseDate(search.get('dia') ?? '') ?? today);
  const preview = useQuery({
    queryKey: [SESSIONS, 'week-copy', semana],
    queryFn: ({ signal }) => read('GET /sessions/week-copy', { query: { semana }, signal }),
    select: ({ items }) => items,
  });
  /** The hours that were copied, of which the students should know. */
  const [told, tell] = useState<readonly Hour[] | null>(null);
  const close = () =>
    setSearch(
      (current) => {
        current.delete('abrir');
        return current;
      },
      { replace: true, preventScrollReset: true },
    );
  const next = addDays(semana, 7);
  if (told)
    return (
      <>
        <CopyMessages hours={told} />
        <SheetActions>
          <Button variant="default" onClick={close}>
            Fechar
          </Button>
        </SheetActions>
      </>
    );
  return (
    <>
      <p className={classes.about}>
        De {formatDate(semana).slice(0, 5)} a {formatDate(addDays(semana, 6)).slice(0, 5)} para{' '}
        {formatDate(next).slice(0, 5)} a {formatDate(addDays(next, 6)).slice(0, 5)}
      </p>
      <Async of={preview} skeleton={<Skeletons count={4} height={56} />}>
        {(hours) =>
          hours.length === 0 ? (
            <Notice icon="calendar" title="Nenhuma sessão para copiar" />
          ) : (
            // The messages tell of hours that are undone with it.
            <Choice hours={hours} onCopied={tell} onUndone={() => tell(null)} />
          )
        }
      </Async>
    </>
  );
}

interface ChoiceProps {
  hours: readonly Hour[];
  onCopied: (hours: readonly Hour[]) => void;
  onUndone: () => void;
}

function Choice({ hours, onCopied, onUndone }: ChoiceProps) {
  const zone = useZone();
  /** The hours that are selected; at first all without an obstacle. */
  const [chosen, choose] = useState<Record<string, boolean>>({});
  const undoing = useSend('POST /sessions/undo-bookings');
  const copy = useSend('POST /sessions/week-copy');
  const isChosen = (hour: Hour) => !isFinal(hour) && (chosen[keyOf(hour)] ?? hour.obstaculos.length === 0);
  const wanted = hours.filter(isChosen);

  const send = () =>
    attempt(async () => {
      const { session_ids } = await copy.mutateAsync({
        session_ids: wanted.flatMap((hour) => hour.session_ids),
        mesmo_assim: wanted
          .filter(({ obstaculos }) => obstaculos.length > 0)
          .flatMap((hour) => hour.session_ids),
      });
      toast.success('Semana copiada', {
        description: plural(session_ids.length, 'sessão agendada', 'sessões agendadas'),
        ...takenBack(async () => {
          await undoing.mutateAsync({ session_ids });
          onUndone();
        }, 'Cópia desfeita'),
      });
      onCopied(wanted);
    }, 'Erro ao copiar a semana');

  return (
    <>
      <ul className={classes.hours}>
        {hours.map((hour) => (
          <li key={keyOf(hour)}>
            <Checkbox
              checked={isChosen(hour)}
              disabled={isFinal(hour)}
              onChange={({ currentTarget: { checked } }) =>
                choose((before) => ({ ...before, [keyOf(hour)]: checked }))
              }
              label={`${formatMoment(hour.inicio, zone)}–${formatTime(timeOf(hour.fim, zone))} · ${sharedName(hour.nomes) ?? 'Aluno apagado'}`}
              description={hour.obstaculos.map(({ texto }) => texto).join(' · ') || undefined}
            />
          </li>
        ))}
      </ul>
      <SheetActions>
        <Button loading={copy.isPending} disabled={wanted.length === 0} onClick={() => void send()}>
          {wanted.length === 0
            ? 'Escolha o que copiar'
            : `Agendar ${plural(wanted.length, 'horário', 'horários')}`}
        </Button>
      </SheetActions>
    </>
  );
}

/** A message for each student of copied hours, ready to be sent. */
function CopyMessages({ hours }: { hours: readonly WeekCopyPreview['items'][number][] }) {
  const zone = useZone();
  const today = useToday();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const booked = new Map<string, [Booked, ...Booked[]]>();
  for (const { student_ids, ...hour } of hours)
    for (const id of student_ids) booked.set(id, [...(booked.get(id) ?? []), hour] as [Booked, ...Booked[]]);
  // Only active students are copied.
  const students = useQuery({
    queryKey: [STUDENTS, 'contacts'],
    queryFn: ({ signal }) => readAll({ q: '', standing: 'ativos' }, signal),
  });
  return (
    <Section title="Avisar alunos">
      <Async of={students} skeleton={<Skeletons count={2} height={120} />}>
        {(all) => (
          <div className={classes.messages}>
            {all.map((student) => {
              const { id, nome } = student;
              const sessions = booked.get(id);
              if (!sessions) return null;
              const text = copiedMessage(sessions, firstName(nome), { today, zone });
              return (
                <MessageCard
                  key={id}
                  name={nome}
                  fact={opened.has(id) ? 'Aberta' : plural(sessions.length, 'sessão', 'sessões')}
                  text={text}
                  link={whatsAppOf(student, text)}
                  onOpen={() => setOpened(new Set(opened).add(id))}
                />
              );
            })}
          </div>
        )}
      </Async>
    </Section>
  );
}
