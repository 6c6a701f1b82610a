import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import type {
  OwedLot,
  OwedSessionsPage,
  OwedStudent,
} from '../../../../backend/modules/owed-sessions/owed-sessions.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { read } from '../../lib/calls.js';
import { formatDate, formatMonth, type Moment, type Month } from '../../lib/dates.js';
import { http } from '../../lib/http.js';
import { inPast } from '../../lib/moment.js';
import { formatMoney } from '../../lib/money.js';
import { usePaged } from '../../lib/paged.js';
import { saveFile } from '../../lib/save-file.js';
import { reads } from '../../lib/topics.js';
import { Card } from '../../ui/card.js';
import { Facts } from '../../ui/facts.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Money } from '../../ui/money.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { Sheet } from '../../ui/sheet.js';
import { Skeletons } from '../../ui/states.js';
import { attempt } from '../../ui/toast.js';
import classes from './finance.module.css';

const OWED = reads('owed-sessions', [
  'credits',
  'charges',
  'transactions',
  'sessions',
  'students',
  'plans',
  'settings',
]);

/** As it was at a moment: nothing that is recorded later changes it. */
const PAST = reads('past-owed-sessions', []);

const useOwedSessions = ({ month, moment }: Asked) =>
  usePaged<OwedStudent, OwedSessionsPage>(
    moment ? [PAST, month, moment.at] : [OWED, month],
    (cursor, signal) =>
      read('GET /finance/owed-sessions', { query: { month, at: moment?.at, cursor, limit: 50 }, signal }),
  );

interface Asked {
  month: Month;
  moment: Moment | null;
}

const sessions = (count: number) => plural(count, 'sessão', 'sessões');

/** What is paid and still to be given, in one line that opens it. */
export function OwedSessionsLine({ onOpen, ...asked }: Asked & { onOpen: () => void }) {
  const owed = useOwedSessions(asked);
  const total = owed.data?.pages[0]?.total;
  if (owed.isPending) return <Skeletons count={1} height={64} />;
  if (!total) return null;
  const { sessoes, valor } = total;
  const owes = asked.moment ? 'Você devia' : 'Você deve';
  const what = sessoes > 0 ? `${owes} ${sessions(sessoes)}` : `${owes} o que já foi pago`;
  return (
    <Card flush>
      <Row
        onClick={onOpen}
        title={valor > 0 ? what : 'Nenhuma sessão paga a dar'}
        facts="Pagas e ainda não dadas"
        trail={valor > 0 && <Money cents={valor} strong />}
      />
    </Card>
  );
}

interface OwedSessionsSheetProps extends Asked {
  opened: boolean;
  onClose: () => void;
}

export const OwedSessionsSheet = ({ opened, onClose, ...asked }: OwedSessionsSheetProps) => (
  <Sheet opened={opened} onClose={onClose} title="Sessões a dar">
    {opened && <OwedSessions {...asked} />}
  </Sheet>
);

function OwedSessions({ month, moment }: Asked) {
  const owed = useOwedSessions({ month, moment });
  const total = owed.data?.pages[0]?.total;
  return (
    <div className={classes.detail}>
      {total && total.valor > 0 && <Owed total={total} isPast={moment !== null} />}
      {total && <EarnedIn month={month} total={total} />}
      <InfiniteList
        of={owed}
        manual
        failure="Erro ao buscar dados financeiros"
        empty={
          <Notice icon="check" title="Nenhuma sessão paga a dar">
            Quando um aluno paga um plano com créditos, as sessões que faltam aparecem aqui, com o valor de
            cada uma.
          </Notice>
        }
      >
        {(students) => (
          <Section
            title={moment ? 'A quem você devia' : 'A quem você deve'}
            action={
              !moment && (
                <Button
                  size="sm"
                  variant="subtle"
                  leftSection={<Icon name="drop" size={18} />}
                  onClick={() => void saveOwed()}
                >
                  Baixar CSV
                </Button>
              )
            }
          >
            <Card flush>
              {students.flatMap(({ nome, lotes }) =>
                lotes.map((lot) => (
                  <Lot key={lot.id} lot={lot} name={nome ?? 'Aluno apagado'} moment={moment} />
                )),
              )}
            </Card>
          </Section>
        )}
      </InfiniteList>
    </div>
  );
}

type Total = OwedSessionsPage['total'];

interface OwedProps {
  total: Total;
  isPast: boolean;
}

function Owed({ total: { alunos, sessoes, valor, meta_reserva }, isPast }: OwedProps) {
  const missing = valor - meta_reserva;
  return (
    <div>
      <div className={classes.detailAmount}>
        <Money cents={valor} />
      </div>
      <Quiet>
        {sessoes > 0 && `${sessions(sessoes)} já ${sessoes === 1 ? 'paga' : 'pagas'} e ainda não `}
        {sessoes > 0 && `${sessoes === 1 ? 'dada' : 'dadas'}, de ${plural(alunos, 'aluno', 'alunos')}. `}
        {isPast
          ? 'É o que você devolveria se parasse nesse momento. '
          : 'Tenha esse valor guardado: é o que você devolveria se parasse hoje. '}
        {missing > 0 && isPast && `A meta de reserva era ${formatMoney(meta_reserva)}.`}
        {missing > 0 && !isPast && (
          <>
            {`Sua meta de reserva é ${formatMoney(meta_reserva)}: faltam ${formatMoney(missing)}. `}
            <Link to="/ajustes/configuracoes" className={classes.student}>
              Mudar a meta
            </Link>
          </>
        )}
      </Quiet>
    </div>
  );
}

const origins: Record<OwedLot['origem'], string> = {
  compra: '',
  transferencia: 'de transferência',
  reposicao: 'de reposição',
  entrada: 'pagamento parcial, créditos ainda não liberados',
};

/** Leads to the charge whose money it is. */
function Lot({ lot, name, moment }: { lot: OwedLot; name: string; moment: Moment | null }) {
  const { origem, charge_id, plano, sessoes, valor, expira_em } = lot;
  const facts = [
    sessoes > 0 && `${sessions(sessoes)} ${origins[origem]}`.trim(),
    origem === 'entrada' && origins.entrada,
    plano,
    expira_em && `até ${formatDate(expira_em)}`,
  ];
  return (
    <Row
      to={inPast(`/cobrancas?cobranca=${charge_id}`, moment)}
      title={name}
      facts={facts.filter(Boolean).join(' · ')}
      trail={<Money cents={valor} strong />}
    />
  );
}

function EarnedIn({ month, total }: { month: Month; total: Total }) {
  const { recebido, dadas, sem_sessao, sem_valor } = total;
  return (
    <Section title={`Em ${formatMonth(month)}`}>
      <Facts
        of={[
          ['Recebido por créditos', <Money key="received" cents={recebido} />],
          [`Ganho com ${sessions(dadas.sessoes)}`, <Money key="earned" cents={dadas.valor} />],
          ['Vencido ou removido', sem_sessao.valor > 0 && <Money key="kept" cents={sem_sessao.valor} />],
        ]}
      />
      {sem_valor > 0 && (
        <Quiet>
          {`Fora desta conta: ${plural(sem_valor, 'crédito sem valor', 'créditos sem valor')}, de cortesia, de antes do Rende ou ainda não ${sem_valor === 1 ? 'pago' : 'pagos'}.`}
        </Quiet>
      )}
    </Section>
  );
}

const saveOwed = () =>
  attempt(
    async () => saveFile(await http.file('/finance/owed-sessions/sheet'), 'sessoes-a-dar.csv'),
    'Erro ao baixar o arquivo',
  );
