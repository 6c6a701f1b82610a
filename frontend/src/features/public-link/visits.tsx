import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Visit } from '../../../../backend/modules/public-link/public-link.api.js';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { ButtonRow } from '../../ui/form.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Tag } from '../../ui/tag.js';
import { attempt, toast } from '../../ui/toast.js';
import { BlockButton } from './block-button.js';
import { ConfirmButton, messageTo } from './confirm-button.js';
import classes from './public-link.module.css';
import { Strangers } from './strangers.js';
import { useDeclineVisit, useReopenVisit, useVisits } from './public-link.queries.js';

/** Bookings by visitors: those that wait for an answer first. */
export function Visits() {
  const visits = useVisits();
  return (
    <>
      <Strangers />
      <Async of={visits} skeleton={<Skeletons count={2} height={96} />}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={classes.note}>
              O que for agendado pelo seu link aparece aqui, para você confirmar em até 48 horas.
            </p>
          ) : (
            <Card flush>
              {items.map((visit) => (
                <VisitRow key={visit.id} visit={visit} />
              ))}
            </Card>
          )
        }
      </Async>
    </>
  );
}

/** A booking, with its answers while it waits for one. */
export function VisitRow({ visit }: { visit: Visit }) {
  const {
    id,
    session_id,
    student_id,
    nome,
    aluno,
    novo,
    inativo,
    location_nome,
    inicio,
    confirmado,
    vence_em,
    de_quem,
  } = visit;
  const zone = useZone();
  const decline = useDeclineVisit();
  const reopen = useReopenVisit();
  const [isDeclining, setDeclining] = useState(false);
  const [mensagem, setMensagem] = useState('');
  const said = mensagem.trim() || null;
  const who = aluno ?? nome ?? 'Aluno apagado';
  const when = formatMoment(inicio, zone);
  const first = who.split(' ')[0];

  const onDecline = () =>
    attempt(async () => {
      await decline.mutateAsync({ id, mensagem: said });
      toast.success('Reserva recusada', {
        description: `${who}, ${when}`,
        undo: () => attempt(() => reopen.mutateAsync(session_id), 'Erro ao desfazer'),
        undone: 'Recusa desfeita',
      });
    }, 'Erro ao recusar');
  const instead = messageTo(
    visit,
    said ?? `Oi, ${first}! Não consigo te atender em ${when}. Vamos agendar outro horário?`,
  );

  return (
    <div className={classes.visit}>
      <Row
        title={who}
        {...(aluno !== null && { to: `/alunos/${student_id}` })}
        facts={[
          when,
          location_nome,
          nome !== null && nome !== who && `reservou como ${nome}`,
          vence_em !== null && `confirme até ${formatMoment(vence_em, zone)}`,
          inativo && !confirmado && 'aluno inativo: confirmar reativa',
          de_quem.length > 0 && `WhatsApp de ${de_quem.map((one) => one.nome).join(', ')}`,
        ]
          .filter(Boolean)
          .join(' · ')}
        trail={
          novo && !confirmado ? <Tag>Novo</Tag> : confirmado ? <Tag>Confirmado</Tag> : <Tag>A confirmar</Tag>
        }
        actions={!visit.bloqueado && <BlockButton studentId={student_id} who={who} />}
      />
      {!confirmado && (
        <div className={classes.answers}>
          {isDeclining && (
            <Textarea
              label="Mensagem (opcional)"
              description="Aparece na página da reserva. Também vai por e-mail, se a pessoa puder receber."
              autosize
              minRows={2}
              maxLength={300}
              autoFocus
              value={mensagem}
              onChange={({ currentTarget }) => setMensagem(currentTarget.value)}
            />
          )}
          <ButtonRow>
            {isDeclining ? (
              <>
                <Button color="red" onClick={() => void onDecline()} loading={decline.isPending}>
                  Recusar reserva
                </Button>
                <Button variant="default" onClick={() => setDeclining(false)}>
                  Voltar
                </Button>
              </>
            ) : (
              <>
                <ConfirmButton visit={visit}>Confirmar</ConfirmButton>
                <Button variant="default" onClick={() => setDeclining(true)}>
                  Recusar
                </Button>
              </>
            )}
          </ButtonRow>
          {instead && (
            <a className={classes.message} href={instead} target="_blank" rel="noreferrer">
              {isDeclining ? 'Enviar a mensagem no WhatsApp' : 'Propor outro horário no WhatsApp'}
            </a>
          )}
        </div>
      )}
    </div>
  );
}
