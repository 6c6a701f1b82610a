import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { lineKinds, type StatementLine } from '../../../../backend/modules/credits/credits.api.js';
import { dayOf, formatLongDay, formatMoment } from '../../lib/dates.js';
import { sessionAddress } from '../../lib/session-address.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon, type IconName } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Notice } from '../../ui/notice.js';
import classes from './credits.module.css';
import { OWN, useCreditStatement } from './credits.queries.js';

interface StatementProps {
  /** `OWN`: of the student who is signed in. */
  studentId: string;
  /** At the right of the heading. */
  action?: ReactNode;
  /** As it was at that instant; now where it is missing. */
  at?: string | undefined;
}

/** Why the balance is what it is: every line of the account, newest first. */
export function Statement({ studentId, action, at }: StatementProps) {
  const statement = useCreditStatement(studentId, at);
  const lines = {
    ...statement,
    data: statement.data && { pages: statement.data.pages.map(({ extrato }) => extrato) },
  };
  return (
    <Section title="Extrato" action={action}>
      <Card flush>
        <InfiniteList
          of={lines}
          manual
          empty={
            <Notice icon="coins" title="Nenhum crédito ainda">
              {studentId === OWN
                ? 'Cada crédito recebido ou usado fica registrado aqui.'
                : 'Renove o plano ou ajuste o saldo: cada mudança fica registrada aqui.'}
            </Notice>
          }
        >
          {(items) => items.map((line) => <Line key={line.id} line={line} isOwn={studentId === OWN} />)}
        </InfiniteList>
      </Card>
    </Section>
  );
}

function Line({ line, isOwn }: { line: StatementLine; isOwn: boolean }) {
  const zone = useZone();
  return (
    <Row
      lead={
        <span className={classes.direction} data-gain={line.quantidade > 0 || undefined}>
          <Icon name={iconOf(line)} size={18} />
        </span>
      }
      title={lineKinds[line.tipo]}
      facts={
        <span title={formatLongDay(dayOf(line.em, zone))}>
          {[formatMoment(line.em, zone), line.motivo ?? (line.session_id ? null : line.plano_nome)]
            .filter(Boolean)
            .join(' · ')}
          <SessionLink line={line} isOwn={isOwn} />
          <OtherLink line={line} />
        </span>
      }
      trail={
        <>
          {line.quantidade !== 0 && (
            <span className={classes.quantity}>
              {line.quantidade > 0 ? '+' : '\u2212'}
              {Math.abs(line.quantidade)}
            </span>
          )}
          <span className={classes.after}>saldo {line.saldo}</span>
        </>
      }
    />
  );
}

/** The other student of a transfer. */
function OtherLink({ line: { outro_aluno, quantidade } }: { line: StatementLine }) {
  if (!outro_aluno) return null;
  return (
    <Link className={classes.session} to={`/alunos/${outro_aluno.id}?aba=extrato`}>
      {quantidade > 0 ? 'De' : 'Para'} {outro_aluno.nome ?? 'aluno apagado'}
    </Link>
  );
}

function iconOf({ quantidade, tipo }: StatementLine): IconName {
  if (quantidade === 0) return 'renew';
  if (quantidade > 0) return 'plus';
  return tipo === 'expiracao' ? 'clock' : 'check';
}

/** The session of an entry: its day, time and place, with a link to it for the trainer. */
function SessionLink({ line: { session_id, sessao }, isOwn }: { line: StatementLine; isOwn: boolean }) {
  const zone = useZone();
  if (!session_id) return null;
  const what = isOwn ? 'Aula' : 'Sessão';
  if (!sessao) return <span className={classes.session}>{what}</span>;
  const { inicio, local_nome, excluida } = sessao;
  const words = `${what} de ${formatMoment(inicio, zone)}, ${local_nome ?? 'sem local'}`;
  if (excluida) return <span className={classes.session}>{words} (excluída)</span>;
  if (isOwn) return <span className={classes.session}>{words}</span>;
  return (
    <Link className={classes.session} to={sessionAddress({ id: session_id, inicio }, zone)}>
      {words}
    </Link>
  );
}
