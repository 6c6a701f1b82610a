import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Visit, StrangerList } from '../../../../backend/modules/public-link/public-link.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { Link } from 'react-router-dom';
import { chargeAddress } from '../../lib/charge-address.js';
import { useSend } from '../../lib/command.js';
import { formatMoney } from '../../lib/money.js';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { ButtonRow } from '../../ui/form.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Tag } from '../../ui/tag.js';
import { Consequences } from '../../ui/consequences.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import { BlockButton } from './block-button.js';
import { ConfirmButton } from './confirm-button.js';
import { DeclineForm } from './decline-form.js';
import classes from './public-link.module.css';
import { useStrangers, useVisits } from './public-link.queries.js';
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
            <Quiet size="sm">
              O que for agendado pelo seu link aparece aqui, para você confirmar em até 48 horas.
            </Quiet>
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
    student_id,
    nome,
    aluno,
    novo,
    inativo,
    servico_nome,
    location_nome,
    inicio,
    confirmado,
    vence_em,
    de_quem,
  } = visit;
  const { cobranca } = visit;
  const isUnpaid = cobranca !== null && cobranca.pedido > 0;
  const zone = useZone();
  const [isDeclining, setDeclining] = useState(false);
  const who = whoIn(visit);
  const when = formatMoment(inicio, zone);
  const instead = messageTo(visit, insteadOf(visit, zone));
  const more = [
    nome !== null && nome !== who && `reservou como ${nome}`,
    cobranca && paidInWords(cobranca),
    vence_em !== null && `${isUnpaid ? 'espera' : 'confirme'} até ${formatMoment(vence_em, zone)}`,
    isUnpaid && !confirmado && `se você confirmar antes, ${formatMoney(cobranca.valor)} ficam a receber`,
    inativo && !confirmado && 'aluno inativo: confirmar reativa',
    de_quem.length > 0 && `WhatsApp de ${de_quem.map((one) => one.nome).join(', ')}`,
  ]
    .filter(Boolean)
    .join(' · ');

  return (
    <div className={classes.visit}>
      <Row
        title={who}
        {...(aluno !== null && { to: `/alunos/${student_id}` })}
        facts={[when, servico_nome, location_nome].filter(Boolean).join(' · ')}
        trail={
          confirmado ? (
            <Tag>Confirmada</Tag>
          ) : (
            <Tag tone="warn" icon="clock" outlined>
              {isUnpaid ? 'Falta o Pix' : novo ? 'Novo' : 'A confirmar'}
            </Tag>
          )
        }
        actions={!visit.bloqueado && <BlockButton studentId={student_id} who={who} />}
      />
      {(more || cobranca) && (
        <div className={classes.more}>
          {more && <p>{more}</p>}
          {cobranca && (
            <Link className={classes.message} to={chargeAddress(cobranca.id)}>
              {isUnpaid ? 'Registrar o pagamento' : 'Ver a cobrança'}
            </Link>
          )}
        </div>
      )}
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

/** What the charge of a booking still asks for, or what was paid of it. */
function paidInWords({ valor, pago, pedido }: NonNullable<Visit['cobranca']>): string {
  if (pedido > 0) return `Pix de ${formatMoney(pedido)} ainda não chegou`;
  if (pago === 0) return `${formatMoney(valor)} a receber`;
  return pago < valor ? `${formatMoney(pago)} de ${formatMoney(valor)} pagos` : `${formatMoney(pago)} pagos`;
}

/** Fewer are declined one by one. */
const BURST = 4;

/** Declines a burst of bookings with invented names at once. */
function Strangers() {
  const { data } = useStrangers();
  const [opened, setOpened] = useState(false);
  const people = data?.items ?? [];
  if (people.length < BURST && !opened) return null;
  return (
    <>
      <Quiet size="sm">
        {plural(people.length, 'pessoa', 'pessoas')} que você nunca atendeu reservaram pelo link.{' '}
        <Button size="sm" variant="subtle" color="red" onClick={() => setOpened(true)}>
          Recusar todas
        </Button>
      </Quiet>
      <Sheet
        opened={opened}
        onClose={() => setOpened(false)}
        title="Recusar quem você não conhece"
        withoutAddress
      >
        <Preview people={people} onClose={() => setOpened(false)} />
      </Sheet>
    </>
  );
}

function Preview({ people, onClose }: { people: StrangerList['items']; onClose: () => void }) {
  const zone = useZone();
  const { mutateAsync, isPending } = useSend('POST /visits/strangers/forget');
  const bookings = people.reduce((sum, { reservas }) => sum + reservas.length, 0);
  const forget = () =>
    attempt(async () => {
      const done = await mutateAsync({ student_ids: people.map(({ student_id }) => student_id) });
      onClose();
      toast.success('Reservas recusadas', {
        description: `${plural(done.reservas, 'reserva cancelada', 'reservas canceladas')}, dados de ${plural(done.pessoas, 'pessoa', 'pessoas')} apagados.`,
      });
    }, 'Erro ao recusar');
  return (
    <div className={classes.asked}>
      <Consequences
        warning="Não dá para desfazer: ninguém consegue recuperar os dados."
        items={[
          [
            'Será cancelado',
            `${plural(bookings, 'reserva', 'reservas')} sem confirmação, sem custo: os horários ficam livres. Quem reservou não recebe aviso.`,
          ],
          [
            'Será apagado',
            `Nome, telefone e e-mail de ${plural(people.length, 'pessoa que só reservou', 'pessoas que só reservaram')} pelo link: você nunca confirmou, editou ou anotou nada sobre elas.`,
          ],
          ['Será mantido', 'Reservas que você confirmou e alunos que você já atende.'],
        ]}
      />
      <ul className={classes.people}>
        {people.map(({ student_id, nome, reservas }) => (
          <li key={student_id}>
            {nome}:{' '}
            {reservas.length > 0
              ? reservas.map((at) => formatMoment(at, zone)).join('; ')
              : 'reserva vencida'}
          </li>
        ))}
      </ul>
      <SheetActions onBack={onClose}>
        <Button color="red" onClick={() => void forget()} loading={isPending} disabled={people.length === 0}>
          Recusar e apagar
        </Button>
      </SheetActions>
    </div>
  );
}
