import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { OwnTimes as Times } from '../../../../backend/modules/student-area/student-booking.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useSend } from '../../lib/command.js';
import { dayOf, formatDate, formatMoment, formatTime, timeOf } from '../../lib/dates.js';
import { formatMoney } from '../../lib/money.js';
import { useShown } from '../../lib/shown.js';
import { useNow, useZone } from '../../lib/zone.js';
import { ChoiceChip, ChoiceChips, ColourDot } from '../../ui/choice-chip.js';
import { Card } from '../../ui/card.js';
import { Notice } from '../../ui/notice.js';
import { Page } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import { useOwnStep, useOwnTimes } from './own-sessions.queries.js';
import { OwnClasses } from './own-classes.js';
import { cancellingInWords } from './own-terms.js';
import { OwnTimes } from './own-times.js';
import classes from './own-times.module.css';

/** Page on which a student books: the trainer's free times, without data about other students. */
export function OwnBookingPage({ trainer }: { trainer: string }) {
  const [servico, chooseService] = useShown('servico');
  return (
    <Page title="Agendar" subtitle={`Horários livres de ${trainer}`} back="/aluno" width="narrow">
      <Async of={useOwnTimes({ servico })} skeleton={<Skeletons count={3} height={110} />}>
        {(times) => (
          <>
            <OwnClasses {...times} />
            {times.servicos.length > 1 && times.situacao !== 'fechada' && (
              <ChoiceChips label="Serviço">
                {times.servicos.map(({ id, nome, cor }) => (
                  <ChoiceChip key={id} aria-pressed={id === times.servico} onClick={() => chooseService(id)}>
                    <ColourDot colour={cor} /> {nome}
                  </ChoiceChip>
                ))}
              </ChoiceChips>
            )}
            {times.situacao === 'livre' && <Booking times={times} />}
            {times.situacao !== 'livre' && times.turmas.items.length === 0 && <Closed times={times} />}
          </>
        )}
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
  const [chosen, choose] = useShown('horario');
  const { horarios, costume } = times;
  const period = horarios.find(({ inicio }) => inicio === chosen);
  const title = period && `${formatMoment(period.inicio, zone)}–${formatTime(timeOf(period.fim, zone))}`;
  return (
    <>
      {times.creditos_livres !== null && (
        <Quiet size="sm">{creditsInWords(times.creditos_livres, times.creditos_ate, zone)}</Quiet>
      )}
      {costume && (
        <Card flush>
          <Row
            onClick={() => choose(costume.inicio)}
            title={`${formatMoment(costume.inicio, zone)}, como sempre`}
            facts={
              times.locais.find(({ id }) => id === costume.location_id)?.nome ??
              (times.online ? 'Online' : 'Local a combinar')
            }
          />
        </Card>
      )}
      <OwnTimes times={horarios} pausado_ate={times.pausado_ate} chosen={chosen} onChoose={choose} />
      <Sheet
        opened={chosen !== null}
        onClose={() => choose(null)}
        title={title ?? (chosen === null ? '' : 'Escolher horário')}
      >
        {period ? (
          <Confirm key={period.inicio} period={period} times={times} onDone={() => choose(null)} />
        ) : (
          chosen !== null && <Taken onBack={() => choose(null)} />
        )}
      </Sheet>
    </>
  );
}

/** Somebody else was quicker, also while the sheet was open. */
function Taken({ onBack }: { onBack: () => void }) {
  return (
    <Notice
      icon="calendar"
      title="Este horário não está mais livre"
      action={<Button onClick={onBack}>Ver outros horários</Button>}
    />
  );
}

function creditsInWords(free: number, until: string | null, zone: string): string {
  const credits = plural(free, 'crédito livre', 'créditos livres');
  const others = 'fora os das aulas já marcadas';
  if (until === null) return `${credits} para novas aulas, ${others}.`;
  // The limit is the end of a day in the tenant's time zone: show that day.
  const last = dayOf(new Date(Date.parse(until) - 1), zone);
  return `${credits} para aulas até ${formatDate(last)}, ${others}.`;
}

interface ConfirmProps {
  period: Times['horarios'][number];
  times: Times;
  onDone: () => void;
}

function Confirm({ period: { inicio, locais: there }, times, onDone }: ConfirmProps) {
  const zone = useZone();
  const { creditos_livres } = times;
  const now = useNow();
  const locais = times.locais.filter(({ id }) => !there || there.includes(id));
  const usual = times.costume?.inicio === inicio ? times.costume.location_id : null;
  // The first one is where the student trains most often.
  const [chosen, setChosen] = useState(usual);
  const place = locais.find(({ id }) => id === chosen) ?? locais[0];
  const service = times.servicos.find(({ id }) => id === times.servico);
  const terms = place && {
    ...place.politica,
    queima_credito: place.politica.queima_credito && (service?.usa_credito ?? true),
  };
  const booking = useSend('POST /student/sessions');
  const step = useOwnStep();
  const book = () =>
    attempt(async () => {
      const { id } = await booking.mutateAsync({
        inicio,
        location_id: place?.id ?? null,
        ...(times.servico && { service_id: times.servico }),
      });
      onDone();
      toast.success('Aula agendada', {
        description: `${formatMoment(inicio, zone)} · ${place?.nome ?? (times.online ? 'online' : 'local a combinar')}`,
        ...takenBack(() => step.mutateAsync({ id, step: 'undo' }), 'Agendamento desfeito'),
      });
    }, 'Erro ao agendar');
  return (
    <div className={classes.confirm}>
      {place && (
        <NativeSelect
          label="Local"
          data={locais.map(({ id, nome }) => ({ value: id, label: nome }))}
          value={place.id}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
      )}
      {service && (
        <p className={classes.terms}>
          {service.nome}, {service.duracao_min} min
          {service.valor ? `, ${formatMoney(service.valor)}${service.usa_credito ? ' sem crédito' : ''}` : ''}
        </p>
      )}
      <p className={classes.terms}>{cancellingInWords(terms, inicio, { zone, now })}</p>
      <Quiet size="sm">
        {creditos_livres === null
          ? 'A aula entra na agenda do seu personal.'
          : 'A aula entra na agenda do seu personal e desconta 1 crédito quando for dada.'}
      </Quiet>
      <SheetActions onBack={onDone}>
        <Button loading={booking.isPending} onClick={() => void book()}>
          Agendar
        </Button>
      </SheetActions>
    </div>
  );
}
