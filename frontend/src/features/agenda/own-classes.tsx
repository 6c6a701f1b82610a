import { Button } from '@mantine/core';
import type { OwnTimes } from '../../../../backend/modules/student-area/student-booking.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useSend, useSendTo } from '../../lib/command.js';
import { formatMoment } from '../../lib/dates.js';
import { useNow, useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { Tag } from '../../ui/tag.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import { useOwnStep } from './own-sessions.queries.js';
import { cancellingInWords } from './own-terms.js';

type Hour = OwnTimes['turmas']['items'][number];

/** The classes that a student may enter, each with its seats and what leaving late costs. */
export function OwnClasses({ turmas: { situacao, items }, limite }: Pick<OwnTimes, 'turmas' | 'limite'>) {
  if (items.length === 0) return null;
  return (
    <Section title="Turmas">
      {situacao !== 'livre' && (
        <Quiet size="sm">
          {situacao === 'sem_creditos'
            ? 'Você não tem crédito livre para entrar em uma turma. Renove o plano com seu personal.'
            : `Seu personal permite ${plural(limite, 'aula agendada', 'aulas agendadas')} de uma vez.`}
        </Quiet>
      )}
      <Card flush>
        {items.map((hour) => (
          <ClassRow key={`${hour.id} ${hour.inicio}`} hour={hour} situacao={situacao} />
        ))}
      </Card>
    </Section>
  );
}

/** What keeps the student from taking a seat that became free. */
const needed = {
  sem_creditos: 'renove o plano para agendar',
  limite: 'desmarque outra aula para agendar',
};

function ClassRow({ hour, situacao }: { hour: Hour; situacao: OwnTimes['turmas']['situacao'] }) {
  const { id, nome, inicio, location_nome, livres, minimo, minha, fila, politica } = hour;
  const zone = useZone();
  const now = useNow();
  const booking = useSend('POST /student/classes/:id/book', id);
  const waiting = useSend('POST /student/classes/:id/wait', id);
  const leaving = useSendTo('POST /student/classes/:id/leave');
  const step = useOwnStep();
  const title = `${nome} · ${formatMoment(inicio, zone)}`;
  const isOpen = !minha && livres > 0;
  const canBook = situacao === 'livre';
  const note = fila?.ate
    ? situacao === 'livre'
      ? `Abriu uma vaga: é sua se agendar até ${formatMoment(fila.ate, zone)}.`
      : `Abriu uma vaga, sua até ${formatMoment(fila.ate, zone)}: ${needed[situacao]}.`
    : fila
      ? `Você é ${fila.lugar === 1 ? 'o próximo' : `o ${fila.lugar}º`} da fila.`
      : isOpen && cancellingInWords(politica, inicio, { zone, now });
  const book = () =>
    attempt(async () => {
      const booked = await booking.mutateAsync({ inicio });
      toast.success('Aula agendada', {
        description: title,
        ...takenBack(() => step.mutateAsync({ id: booked.id, step: 'undo' }), 'Agendamento desfeito'),
      });
    }, 'Erro ao agendar');
  const wait = () =>
    attempt(async () => {
      await waiting.mutateAsync({ inicio });
      toast.success('Você está na fila', {
        description: 'Quando abrir uma vaga, você recebe um aviso.',
        ...takenBack(() => leaving.mutateAsync(id), 'Você saiu da fila'),
      });
    }, 'Erro ao entrar na fila');
  const leave = () =>
    attempt(async () => {
      await leaving.mutateAsync(id);
      toast.success('Você saiu da fila', {
        description: title,
        ...takenBack(() => waiting.mutateAsync({ inicio }), 'Você está no fim da fila'),
      });
    }, 'Erro ao sair da fila');
  return (
    <Row
      title={title}
      facts={
        <>
          {[
            location_nome ?? 'Local a combinar',
            isOpen && plural(livres, 'vaga', 'vagas').replace(' ', '\u00A0'),
          ]
            .filter(Boolean)
            .join(' · ')}
          {note && <br />}
          {note}
          {minimo && <br />}
          {minimo &&
            `Acontece com ${plural(minimo.alunos, 'aluno', 'alunos')} ou mais. Com menos, é cancelada sem custo ${minimo.horas} h antes.`}
        </>
      }
      trail={minha ? <Tag tone="accent">Agendada</Tag> : livres === 0 && !fila && <Tag>Lotada</Tag>}
      actions={
        !minha && (
          <>
            {isOpen && canBook && (
              <Button
                size="sm"
                aria-label={`Agendar: ${title}`}
                loading={booking.isPending}
                onClick={() => void book()}
              >
                Agendar
              </Button>
            )}
            {fila && !(isOpen && canBook) && (
              <Button
                size="sm"
                variant="default"
                aria-label={`Sair da fila: ${title}`}
                loading={leaving.isPending}
                onClick={() => void leave()}
              >
                Sair da fila
              </Button>
            )}
            {!isOpen && !fila && canBook && (
              <Button
                size="sm"
                variant="default"
                aria-label={`Entrar na fila: ${title}`}
                loading={waiting.isPending}
                onClick={() => void wait()}
              >
                Entrar na fila
              </Button>
            )}
          </>
        )
      }
    />
  );
}
