import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Visit } from '../../../../backend/modules/public-link/public-link.api.js';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { ButtonRow } from '../../ui/form.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Tag } from '../../ui/tag.js';
import { BlockButton } from './block-button.js';
import { ConfirmButton } from './confirm-button.js';
import { DeclineForm } from './decline-form.js';
import classes from './public-link.module.css';
import { Strangers } from './strangers.js';
import { useVisits } from './public-link.queries.js';
import { insteadOf, messageTo, whoIn } from './visit-words.js';

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
  const { student_id, nome, aluno, novo, inativo, location_nome, inicio, confirmado, vence_em, de_quem } =
    visit;
  const zone = useZone();
  const [isDeclining, setDeclining] = useState(false);
  const who = whoIn(visit);
  const when = formatMoment(inicio, zone);
  const instead = messageTo(visit, insteadOf(visit, zone));

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
          confirmado ? (
            <Tag>Confirmada</Tag>
          ) : (
            <Tag tone="warn" icon="clock" outlined>
              {novo ? 'Novo' : 'A confirmar'}
            </Tag>
          )
        }
        actions={!visit.bloqueado && <BlockButton studentId={student_id} who={who} />}
      />
      {!confirmado && (
        <div className={classes.answers}>
          {isDeclining ? (
            <DeclineForm visit={visit} onBack={() => setDeclining(false)} />
          ) : (
            <>
              <ButtonRow>
                <ConfirmButton visit={visit}>Confirmar</ConfirmButton>
                <Button variant="default" onClick={() => setDeclining(true)}>
                  Recusar
                </Button>
              </ButtonRow>
              {instead && (
                <a className={classes.message} href={instead} target="_blank" rel="noreferrer">
                  Propor outro horário no WhatsApp
                </a>
              )}
            </>
          )}
        </div>
      )}
    </div>
  );
}
