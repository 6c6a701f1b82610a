import type { StatementLine } from '../../../../backend/modules/credits/credits.api.js';
import { dayOf, formatLongDay, formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Notice } from '../../ui/notice.js';
import classes from './credits.module.css';
import { useCreditStatement } from './credits.queries.js';

/** Why the balance is what it is: every line of the account, newest first. */
export function Statement({ studentId }: { studentId: string }) {
  const statement = useCreditStatement(studentId);
  const lines = {
    ...statement,
    data: statement.data && { pages: statement.data.pages.map(({ extrato }) => extrato) },
  };
  return (
    <Section title="Extrato">
      <Card flush>
        <InfiniteList
          of={lines}
          manual
          empty={
            <Notice icon="coins" title="Nenhum crédito ainda">
              Renove o plano ou ajuste o saldo: cada mudança fica registrada aqui.
            </Notice>
          }
        >
          {(items) => items.map((line) => <Line key={line.id} line={line} />)}
        </InfiniteList>
      </Card>
    </Section>
  );
}

const kinds: Record<StatementLine['tipo'], string> = {
  concessao: 'Créditos recebidos',
  consumo: 'Crédito usado',
  devolucao: 'Crédito devolvido',
  ajuste: 'Ajuste de saldo',
  expiracao: 'Créditos vencidos',
};

function Line({ line }: { line: StatementLine }) {
  const zone = useZone();
  const reason = line.motivo ?? (line.session_id ? 'Sessão' : line.plano_nome);
  return (
    <Row
      lead={
        <span className={classes.direction} data-gain={line.quantidade > 0 || undefined}>
          <Icon
            name={line.quantidade > 0 ? 'plus' : line.tipo === 'expiracao' ? 'clock' : 'check'}
            size={18}
          />
        </span>
      }
      title={kinds[line.tipo]}
      facts={
        <span title={formatLongDay(dayOf(line.em, zone))}>
          {[formatMoment(line.em, zone), reason].filter(Boolean).join(' · ')}
        </span>
      }
      trail={
        <>
          <span className={classes.quantity}>
            {line.quantidade > 0 ? '+' : '\u2212'}
            {Math.abs(line.quantidade)}
          </span>
          <span className={classes.after}>saldo {line.saldo}</span>
        </>
      }
    />
  );
}
