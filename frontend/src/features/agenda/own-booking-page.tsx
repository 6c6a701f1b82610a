import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { lessThanHours } from '../../../../backend/modules/agenda/cancellation.api.js';
import { defaultPolicy, type PolicyTerms } from '../../../../backend/modules/policies/policies.api.js';
import type { OwnTimes as Times } from '../../../../backend/modules/student-area/student-booking.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { dayOf, formatDate, formatMoment, formatTime, timeOf } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Notice } from '../../ui/notice.js';
import { Page } from '../../ui/page.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, toast } from '../../ui/toast.js';
import { useBookOwnSession, useOwnStep, useOwnTimes } from './own-sessions.queries.js';
import { OwnTimes } from './own-times.js';
import classes from './own-times.module.css';

/** Page on which a student books: the trainer's free times, without data about other students. */
export function OwnBookingPage({ trainer }: { trainer: string }) {
  return (
    <Page title="Agendar" subtitle={`Horários livres de ${trainer}`} back="/aluno" width="narrow">
      <Async of={useOwnTimes()} skeleton={<Skeletons count={3} height={110} />}>
        {(times) => (times.situacao === 'livre' ? <Booking times={times} /> : <Closed times={times} />)}
      </Async>
    </Page>
  );
}

function Closed({ times: { situacao, limite } }: { times: Times }) {
  return (
    <Card>
      {situacao === 'fechada' && (
        <Notice icon="calendar" title="Agenda fechada para alunos">
          Fale com seu personal para agendar a próxima aula.
        </Notice>
      )}
      {situacao === 'sem_creditos' && (
        <Notice icon="coins" title="Você não tem crédito livre">
          Cada aula agendada reserva um crédito. Para agendar outra, renove o plano com seu personal.
        </Notice>
      )}
      {situacao === 'limite' && (
        <Notice icon="calendar" title="Você já agendou o máximo de aulas">
          {`Seu personal permite ${plural(limite, 'aula agendada', 'aulas agendadas')} de uma vez. Depois da próxima, dá para agendar outra.`}
        </Notice>
      )}
    </Card>
  );
}

function Booking({ times }: { times: Times }) {
  const zone = useZone();
  const [chosen, choose] = useState<string | null>(null);
  const period = times.horarios.find(({ inicio }) => inicio === chosen);
  return (
    <>
      {times.creditos_livres !== null && (
        <p className={classes.quiet}>{creditsInWords(times.creditos_livres, times.creditos_ate, zone)}</p>
      )}
      <OwnTimes times={times.horarios} pausado_ate={times.pausado_ate} chosen={chosen} onChoose={choose} />
      <Sheet
        opened={period !== undefined}
        onClose={() => choose(null)}
        title={period ? `${formatMoment(period.inicio, zone)}–${formatTime(timeOf(period.fim, zone))}` : ''}
        withoutAddress
      >
        {period && <Confirm period={period} times={times} onDone={() => choose(null)} />}
      </Sheet>
    </>
  );
}

function creditsInWords(free: number, until: string | null, zone: string): string {
  const credits = plural(free, 'crédito livre', 'créditos livres');
  if (until === null) return `${credits} para novas aulas.`;
  // The limit is the end of a day in the tenant's time zone: show that day.
  const last = dayOf(new Date(Date.parse(until) - 1), zone);
  return `${credits} para aulas até ${formatDate(last)}.`;
}

/** What cancelling will cost, before it is booked. Without a location the default holds. */
function cancellingInWords(
  { cancel_limite_horas, taxa_percent, queima_credito }: PolicyTerms,
  inicio: string,
  zone: string,
): string {
  const cost = [
    queima_credito && 'desconta 1 crédito',
    taxa_percent > 0 && `cobra taxa de ${taxa_percent}% do valor da aula`,
  ]
    .filter(Boolean)
    .join(' e ');
  if (cost === '') return 'Cancelar não custa nada.';
  const end = Date.parse(inicio) - cancel_limite_horas * HOUR;
  return end > Date.now()
    ? `Cancelar é sem custo até ${formatMoment(new Date(end).toISOString(), zone)}; depois, ${cost}.`
    : `${lessThanHours(cancel_limite_horas)}: cancelar ${cost}.`;
}

const HOUR = 3_600_000;

interface ConfirmProps {
  period: Times['horarios'][number];
  times: Times;
  onDone: () => void;
}

function Confirm({ period: { inicio, locais: there }, times, onDone }: ConfirmProps) {
  const zone = useZone();
  const { creditos_livres } = times;
  const locais = times.locais.filter(({ id }) => !there || there.includes(id));
  const [place, setPlace] = useState(locais[0]?.id ?? '');
  const booking = useBookOwnSession();
  const step = useOwnStep();
  const book = () =>
    attempt(async () => {
      const { id } = await booking.mutateAsync({ inicio, location_id: place || null });
      onDone();
      toast.success('Aula agendada', {
        description: formatMoment(inicio, zone),
        undo: () => attempt(() => step.mutateAsync({ id, step: 'undo' }), 'Erro ao desfazer'),
        undone: 'Agendamento desfeito',
      });
    }, 'Erro ao agendar');
  return (
    <div className={classes.confirm}>
      {locais.length > 0 && (
        <NativeSelect
          label="Local"
          data={locais.map(({ id, nome }) => ({ value: id, label: nome }))}
          value={place}
          onChange={({ currentTarget }) => setPlace(currentTarget.value)}
        />
      )}
      <p className={classes.quiet}>
        {creditos_livres === null
          ? 'A aula entra na agenda do seu personal.'
          : 'A aula entra na agenda do seu personal e desconta 1 crédito quando for dada.'}{' '}
        {cancellingInWords(locais.find(({ id }) => id === place)?.politica ?? defaultPolicy, inicio, zone)}
      </p>
      <SheetActions>
        <Button variant="default" onClick={onDone}>
          Voltar
        </Button>
        <Button loading={booking.isPending} onClick={() => void book()}>
          Agendar
        </Button>
      </SheetActions>
    </div>
  );
}
