import { Button } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Act } from '../../../../backend/modules/advisor/advisor.api.js';
import type { Price } from '../../../../backend/modules/audit/price.api.js';
import { methodNames } from '../../../../backend/modules/finance/money-words.api.js';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { firstName } from '../../../../backend/platform/first-name.api.js';
import { formatDate, formatMoment } from '../../lib/dates.js';
import { http } from '../../lib/http.js';
import { formatMoney } from '../../lib/money.js';
import { useZone, useNow, useToday } from '../../lib/zone.js';
import { UndoButton } from '../../parts/undo-sheet.js';
import { Icon } from '../../ui/icon.js';
import { Quiet } from '../../ui/quiet.js';
import { read } from '../../lib/calls.js';
import { reads } from '../../lib/topics.js';
import { bookedMessage } from '../../parts/booked-message.js';
import { useStudent } from '../../parts/students.queries.js';
import { whatsAppOf } from '../../parts/whatsapp.js';
import classes from './advisor.module.css';
import type { Card } from './conversation.js';

interface Words {
  title: string;
  facts: string;
  action: string;
  done: string;
  undo: string;
  undone: string;
}

function wordsOf(ato: Act, zone: string): Words {
  const whose = ato.aluno ? `${ato.aluno} · ` : '';
  switch (ato.tipo) {
    case 'lancamento': {
      const { tipo, valor, descricao, metodo_pagamento, data } = ato.corpo;
      const isIncome = tipo === 'receita';
      return {
        title: `${isIncome ? 'Receita' : 'Despesa'} de ${formatMoney(valor)}`,
        facts: `${whose}${descricao} · ${methodNames[metodo_pagamento]} · ${formatDate(data)}`,
        action: isIncome ? 'Registrar receita' : 'Registrar despesa',
        done: isIncome ? 'Receita registrada' : 'Despesa registrada',
        undo: 'Desfazer lançamento',
        undone: 'Lançamento desfeito',
      };
    }
    case 'cobranca':
      return {
        title: `Cobrança de ${formatMoney(ato.corpo.valor)}`,
        facts: `${whose}${ato.corpo.descricao} · vence em ${formatDate(ato.corpo.vencimento)}`,
        action: 'Emitir cobrança',
        done: 'Cobrança emitida',
        undo: 'Desfazer cobrança',
        undone: 'Cobrança cancelada',
      };
    case 'pagamento':
      return {
        title: `Pagamento de ${formatMoney(ato.corpo.valor)}`,
        facts: `${whose}${ato.descricao ?? 'Cobrança'} · ${methodNames[ato.corpo.metodo_pagamento]} · ${formatDate(ato.corpo.data)}`,
        action: 'Registrar pagamento',
        done: 'Pagamento registrado',
        undo: 'Desfazer pagamento',
        undone: 'Pagamento desfeito',
      };
    case 'sessao':
      return {
        title: `Sessão com ${ato.aluno ?? 'o aluno'}`,
        facts: [formatMoment(ato.corpo.inicio, zone), ato.local].filter(Boolean).join(' · '),
        action: 'Agendar sessão',
        done: 'Sessão agendada',
        undo: 'Desfazer agendamento',
        undone: 'Agendamento desfeito',
      };
  }
}

interface ActCardProps {
  card: Card;
  onRun: (card: Card) => Promise<unknown>;
  onUndo: (card: Card) => Promise<unknown>;
}

/**
 * A card that describes an act, with a button to do it; afterwards the result, with an undo button, which says first what else it moves:
 * the card may be old.
 */
export function ActCard({ card, onRun, onUndo }: ActCardProps) {
  const [working, setWorking] = useState(false);
  const words = wordsOf(card.ato, useZone());
  const work = (what: (card: Card) => Promise<unknown>) => {
    setWorking(true);
    void what(card).finally(() => setWorking(false));
  };
  return (
    <div className={classes.card}>
      <p className={classes.cardTitle}>{words.title}</p>
      <Quiet size="sm">{words.facts}</Quiet>
      {card.estado === 'oferecido' && (
        <Button size="sm" fullWidth loading={working} onClick={() => work(onRun)}>
          {words.action}
        </Button>
      )}
      {card.estado === 'feito' && (
        <div className={classes.done}>
          <span role="status">
            <Icon name="check" size={18} />
            {words.done}
          </span>
          {card.volta && (
            <UndoButton
              what={words.undo}
              of={card.key}
              price={(signal) => http.get<Price>(`${card.volta!.path}/preview`, card.volta!.asked, signal)}
              onUndo={() => onUndo(card)}
              size="sm"
              variant="subtle"
            />
          )}
        </div>
      )}
      {card.estado === 'feito' && card.ato.tipo === 'sessao' && card.id && <TellBooked id={card.id} />}
      {card.estado === 'desfeito' && (
        <Quiet size="sm" role="status">
          {words.undone}
        </Quiet>
      )}
    </div>
  );
}

const BOOKED = reads('booked-session', ['sessions', 'locations']);

/** Tells the student of a session that a card booked, by what the session is now: the card may be older. */
function TellBooked({ id }: { id: string }) {
  const now = useNow();
  const { data: session, isLoading } = useQuery({
    queryKey: [BOOKED, id],
    queryFn: ({ signal }) => read('GET /sessions/:id', { of: [id], signal }),
    staleTime: 0,
  });
  if (isLoading) return <Awaited />;
  const isComing = session?.status === 'agendada' && Date.parse(session.inicio) > now;
  return isComing && <TellStudent session={session} />;
}

/** The conversation scrolls to its end before the button is known. */
const Awaited = () => (
  <Button size="sm" fullWidth loading>
    Avisar
  </Button>
);

function TellStudent({ session }: { session: Session }) {
  const zone = useZone();
  const today = useToday();
  const { data: student, isLoading } = useStudent(session.student_id);
  if (isLoading) return <Awaited />;
  const first = student ? firstName(student.nome) : '';
  const href = student && whatsAppOf(student, bookedMessage(session, first, { today, zone }));
  if (!href) return null;
  return (
    <Button
      component="a"
      href={href}
      target="_blank"
      rel="noreferrer"
      size="sm"
      fullWidth
      leftSection={<Icon name="chat" size={18} />}
    >
      Avisar {first}
    </Button>
  );
}
