import { Button, Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { useState } from 'react';
import type { SessionToCharge } from '../../../../backend/modules/agenda/agenda.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { read } from '../../lib/calls.js';
import { sessionChargeAddress } from '../../lib/charge-address.js';
import { useSend } from '../../lib/command.js';
import { dayOf, formatDate, formatLongDay, formatMoment } from '../../lib/dates.js';
import { formatMoney } from '../../lib/money.js';
import { useZone } from '../../lib/zone.js';
import { useNoteSent } from '../../parts/note-sent.js';
import { useTell } from '../../parts/use-tell.js';
import { Card } from '../../ui/card.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Money } from '../../ui/money.js';
import { Notice } from '../../ui/notice.js';
import { Row } from '../../ui/row.js';
import { Tag } from '../../ui/tag.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import classes from './dashboard.module.css';
import { useSessionsToCharge } from './dashboard.queries.js';
import { sessionAddress } from './session-status.js';

/** A session of an existing student whose amount is known. */
type Chargeable = SessionToCharge & { student_nome: string; a_cobrar: number };

const isChargeable = (session: SessionToCharge): session is Chargeable =>
  session.student_nome !== null && session.a_cobrar !== null;

/** The sessions of each student, in the order of their first ones; and those without an amount or a student. */
function byStudent(items: readonly SessionToCharge[]): [groups: Chargeable[][], others: SessionToCharge[]] {
  const chargeable = items.filter(isChargeable);
  const groups = [...new Set(chargeable.map(({ student_id }) => student_id))].map((id) =>
    chargeable.filter(({ student_id }) => student_id === id),
  );
  return [groups, items.filter((session) => !isChargeable(session))];
}

export default function ToChargeList() {
  const sessions = useSessionsToCharge();
  return (
    <InfiniteList of={sessions} manual empty={<Notice icon="check" title="Nenhuma sessão a cobrar" />}>
      {(items) => {
        const [groups, others] = byStudent(items);
        return (
          <div className={classes.toCharge}>
            {groups.map((group) => (
              <Owed key={group[0]!.student_id} sessions={group} />
            ))}
            {others.length > 0 && (
              <Card flush>
                {others.map((session) => (
                  <One key={session.id} session={session} />
                ))}
              </Card>
            )}
          </div>
        );
      }}
    </InfiniteList>
  );
}

/** What a student owes, charged with one tap; a charge of one session can also be written in the form. */
function Owed({ sessions }: { sessions: Chargeable[] }) {
  const { student_id, student_nome } = sessions[0]!;
  const charge = useSend('POST /charges/sessions');
  const cancel = useSend('POST /charges/cancel');
  const noteSent = useNoteSent();
  const tell = useTell();
  const isOne = sessions.length === 1;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = sessions.filter(({ id }) => !left.has(id));
  const total = chosen.reduce((sum, { a_cobrar }) => sum + a_cobrar, 0);
  const toggle = (id: string) =>
    setLeft((now) => (now.has(id) ? new Set([...now].filter((one) => one !== id)) : new Set([...now, id])));
  const send = () =>
    void attempt(async () => {
      const { ids } = await charge.mutateAsync({
        student_id,
        session_ids: chosen.map(({ id }) => id),
        total,
      });
      toast.success(plural(ids.length, 'cobrança criada', 'cobranças criadas'), {
        description: `${formatMoney(total)} · ${student_nome}`,
        tell: await sendingOf(ids, tell, student_id, () => noteSent(ids)),
        ...takenBack(() => cancel.mutateAsync({ ids }), 'Cobranças canceladas'),
      });
    }, 'Erro ao gerar as cobranças');
  return (
    <section aria-label={student_nome}>
      {isOne || <h3 className={classes.debtor}>{student_nome}</h3>}
      <Card flush>
        {isOne ? (
          <One session={sessions[0]!} />
        ) : (
          sessions.map((session) => (
            <Checkbox
              key={session.id}
              classNames={{ body: classes.pickBody, labelWrapper: classes.pickLabel }}
              checked={!left.has(session.id)}
              onChange={() => toggle(session.id)}
              label={
                <span className={classes.pickWords}>
                  <Facts session={session} />
                  <Money cents={session.a_cobrar} strong />
                </span>
              }
            />
          ))
        )}
      </Card>
      <Button
        fullWidth
        variant="light"
        disabled={chosen.length === 0}
        loading={charge.isPending}
        onClick={send}
      >
        {chosen.length === 0
          ? 'Escolha as sessões'
          : `Cobrar ${formatMoney(total)}${isOne ? '' : ` (${plural(chosen.length, 'sessão', 'sessões')})`}`}
      </Button>
    </section>
  );
}

/** One message with the links of all charges; the way to the student's page where there is none to send. */
async function sendingOf(
  ids: readonly string[],
  tell: ReturnType<typeof useTell>,
  studentId: string,
  onClick: () => void,
) {
  const charges = await Promise.all(ids.map((id) => read('GET /charges/:id', { of: [id] }))).catch(() => []);
  const lines = charges.map(
    ({ descricao, falta, link }) => `${descricao ?? 'Cobrança'}, ${formatMoney(falta)}: ${link}`,
  );
  const links =
    lines.length === 0
      ? []
      : await tell(
          [studentId],
          (name) =>
            `Oi, ${name}! ${lines.length === 1 ? 'Segue a cobrança' : 'Seguem as cobranças'}. Para pagar:\n${lines.join('\n')}`,
        );
  return links.length > 0
    ? links.map(({ href }) => ({ label: 'Enviar', href, onClick }))
    : [{ label: 'Ver cobranças', href: `/alunos/${studentId}` }];
}

interface FactsProps {
  session: SessionToCharge;
  /** Said of a session that is charged because no credit paid it. */
  without?: string;
}

function Facts({ session: { inicio, sem_credito }, without }: FactsProps) {
  const zone = useZone();
  return (
    <span title={formatLongDay(dayOf(inicio, zone))}>
      {[formatMoment(inicio, zone), sem_credito ? without : 'taxa de cancelamento']
        .filter(Boolean)
        .join(' · ')}
    </span>
  );
}

function One({ session }: { session: SessionToCharge }) {
  const zone = useZone();
  return (
    <Row
      to={
        session.student_nome === null
          ? sessionAddress(session, zone)
          : sessionChargeAddress({
              ...session,
              date: formatDate(dayOf(session.inicio, zone)),
              valor: session.a_cobrar,
            })
      }
      title={session.student_nome ?? 'Aluno apagado'}
      facts={<Facts session={session} without="sem crédito" />}
      trail={
        session.a_cobrar === null ? (
          <Tag tone="warn">valor a definir</Tag>
        ) : (
          <Money cents={session.a_cobrar} strong />
        )
      }
    />
  );
}
