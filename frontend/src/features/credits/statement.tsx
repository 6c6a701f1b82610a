import { useState, lazy, Suspense } from 'react';
import { type Moment, dayOf, dueDay, formatLongDay, formatMoment } from '../../lib/dates.js';
import type { WhyOf } from '../../parts/why.js';
import { WhySheet } from '../../parts/why-sheet.js';
import { Card } from '../../ui/card.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Icon, type IconName } from '../../ui/icon.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { isBeyond } from '../../ui/past.js';
import { Row } from '../../ui/row.js';
import classes from './credits.module.css';
import { useCreditStatement } from './statement.queries.js';
import { OWN } from './own-balance.queries.js';
import { ActionIcon } from '@mantine/core';
import { Link } from 'react-router-dom';
import { lineKinds, type StatementLine } from '../../../../backend/modules/credits/credits.api.js';
import { chargeAddress } from '../../lib/charge-address.js';
import { whenReachable } from '../../lib/chunks.js';
import { inPast } from '../../lib/moment.js';
import { formatMoney } from '../../lib/money.js';
import { sessionAddress } from '../../lib/session-address.js';
import { useToday, useZone } from '../../lib/zone.js';

// Students, who have no undo, do not load it.
const UndoTransfer = lazy(() => whenReachable(() => import('./undo-transfer.js')));

interface LineProps {
  line: StatementLine;
  /** For the student instead of the trainer. */
  isOwn: boolean;
  /** Asks why the line is there. */
  onAsk: (of: WhyOf) => void;
  /** As it was at this moment, where nobody can ask for what is known by now. */
  moment?: Moment | undefined;
}

/** A line of an account: what happened, why, and the balance after it. */
function Line({ line, isOwn, onAsk, moment }: LineProps) {
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
          <SessionLink line={line} isOwn={isOwn} moment={moment} />
          <OtherLink line={line} moment={moment} />
          {line.pode_desfazer && (
            <Suspense fallback={null}>
              <UndoTransfer id={line.id} />
            </Suspense>
          )}
          <PaymentOf line={line} isOwn={isOwn} />
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
      actions={
        !moment && (
          <ActionIcon
            variant="subtle"
            size={44}
            aria-label={`Por quê: ${lineKinds[line.tipo]}, ${formatMoment(line.em, zone)}`}
            onClick={() =>
              onAsk(line.tipo === 'expiracao' ? `lot:${line.lote_id}` : `credit:${line.posicao}`)
            }
          >
            <Icon name="right" size={18} />
          </ActionIcon>
        )
      }
    />
  );
}

/** What credits wait for that were granted before they were paid. */
function PaymentOf({ line: { pagamento }, isOwn }: { line: StatementLine; isOwn: boolean }) {
  const today = useToday();
  if (!pagamento) return null;
  const { situacao, cobranca } = pagamento;
  if (situacao !== 'cobrada' || !cobranca)
    return <span className={classes.session}>{situations[situacao]}</span>;
  const words = `Aguarda o pagamento de ${formatMoney(cobranca.falta)}, ${dueDay(cobranca.vencimento, today)}`;
  if (isOwn) return <span className={classes.session}>{words}</span>;
  return (
    <Link className={classes.session} to={chargeAddress(cobranca.id)}>
      {words}
    </Link>
  );
}

const situations = {
  sem_cobranca: 'Ainda sem pagamento',
  cobrada: 'Aguarda o pagamento da cobrança',
  paga: 'Pagamento recebido',
  dispensada: 'Sem pagamento a receber',
} as const;

/** The other student of a transfer. */
function OtherLink({ line: { outro_aluno, quantidade }, moment }: Pick<LineProps, 'line' | 'moment'>) {
  if (!outro_aluno) return null;
  return (
    <Link className={classes.session} to={inPast(`/alunos/${outro_aluno.id}?aba=extrato`, moment)}>
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
function SessionLink({ line: { session_id, sessao, de_aluno }, isOwn, moment }: Omit<LineProps, 'onAsk'>) {
  const zone = useZone();
  if (!session_id) return null;
  const what = isOwn ? 'Aula' : 'Sessão';
  if (!sessao) return <span className={classes.session}>{what}</span>;
  const { inicio, local_nome, excluida } = sessao;
  const whose = de_aluno?.nome ? `, de ${de_aluno.nome}` : '';
  const words = `${what} de ${formatMoment(inicio, zone)}, ${local_nome ?? 'sem local'}${whose}`;
  if (excluida) return <span className={classes.session}>{words} (excluída)</span>;
  if (isOwn) return <span className={classes.session}>{words}</span>;
  return (
    <Link className={classes.session} to={inPast(sessionAddress({ id: session_id, inicio }, zone), moment)}>
      {words}
    </Link>
  );
}

interface StatementProps {
  /** `OWN`: the signed-in student. */
  studentId: string;
  /** Shows it as it was at this moment; default: now. */
  moment?: Moment | undefined;
}

/** The statement: all lines of the account, newest first. */
export function Statement({ studentId, moment }: StatementProps) {
  const statement = useCreditStatement(studentId, moment?.at);
  const [asked, ask] = useState<WhyOf>();
  const isOwn = studentId === OWN;
  const account = statement.data?.pages[0];
  const usa = account?.divisao.usa;
  const lines = {
    ...statement,
    data: statement.data && { pages: statement.data.pages.map(({ extrato }) => extrato) },
  };
  if (isBeyond(statement.error)) return null;
  return (
    <Section title="Extrato">
      <Card flush>
        {account && account.disponivel > 0 && !moment && (
          <Row
            title={`Por que ${isOwn ? 'meu' : 'o'} saldo é ${account.disponivel}?`}
            facts="Cada crédito, da origem ao uso"
            trail={<Icon name="right" size={18} />}
            onClick={() => ask(`balance:${studentId}`)}
          />
        )}
        <InfiniteList
          of={lines}
          manual
          empty={
            <Notice icon="coins" title={usa ? 'Nenhum crédito próprio' : 'Nenhum crédito ainda'}>
              {usa
                ? `Os usos dos créditos de ${usa.nome ?? 'aluno apagado'} ficam no extrato de quem os comprou.`
                : isOwn
                  ? 'Cada crédito recebido ou usado fica registrado aqui.'
                  : 'Renove o plano ou ajuste o saldo: cada mudança fica registrada aqui.'}
            </Notice>
          }
        >
          {(items) =>
            items.map((line) => <Line key={line.id} line={line} isOwn={isOwn} moment={moment} onAsk={ask} />)
          }
        </InfiniteList>
      </Card>
      {account?.lacre && (
        <p className={classes.seal}>
          saldo {account.saldo} ·{' '}
          <a href={`/verificar/${account.lacre}`} target="_blank" rel="noopener">
            lacre {account.lacre}
          </a>
        </p>
      )}
      {asked && <WhySheet of={asked} isOwn={isOwn} onClose={() => ask(undefined)} />}
    </Section>
  );
}
